import { basename } from 'node:path'
import { NAMES_AGENT } from '../markers.ts'
import type { Word } from './shell.ts'

/** Programs that start another one: their options without a value, and those with one. Another option is not known. */
const STARTERS: Readonly<Record<string, { flags: RegExp; valued?: RegExp }>> = {
  sudo: { flags: /^-[AbEHknPSv]+$|^--(preserve-env|non-interactive|set-home)/, valued: /^-[ugpCTh]$/ },
  doas: { flags: /^-n$/, valued: /^-[uC]$/ },
  env: { flags: /^(-i|-|-0|--ignore-environment|\w+=.*)$/s, valued: /^(-u|--unset)$/ },
  nice: { flags: /^(-\d+|-n-?\d+|--adjustment=.*)$/, valued: /^(-n|--adjustment)$/ },
  ionice: { flags: /^-[cn]\d$|^-t$/, valued: /^-[cn]$/ },
  timeout: {
    flags: /^(-v|-[ks]\S+|--(foreground|preserve-status|verbose|signal=.*|kill-after=.*))$/,
    valued: /^(-[ks]|--signal|--kill-after)$/,
  },
  stdbuf: { flags: /^(-[ioe]\S+|--(input|output|error)=.*)$/, valued: /^(-[ioe]|--(input|output|error))$/ },
  xargs: {
    flags: /^(-[0rtx]+|-[IiEeLlnPsd]\S+|--(null|no-run-if-empty|verbose|max-args=.*|max-procs=.*|replace=.*))$/,
    valued: /^(-[IELnPsda]|--max-args|--max-procs|--arg-file|--delimiter)$/,
  },
  time: { flags: /^(-[pvq]+|--(portability|verbose|quiet))$/, valued: /^(-f|--format)$/ },
  nohup: { flags: /^$/ },
  command: { flags: /^-[pvV]+$/ },
  builtin: { flags: /^$/ },
  exec: { flags: /^-[cl]+$/, valued: /^-a$/ },
  setsid: { flags: /^-[cfw]+$/ },
  busybox: { flags: /^$/ },
  toybox: { flags: /^$/ },
  coproc: { flags: /^$/ },
  npx: { flags: /^(--no|--no-install|-q|--quiet)$/ },
  bunx: { flags: /^$/ },
}

/** Programs of tools that stand in a folder of theirs below the project's. */
const INSTALLED = /(^|\/)(node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\/([^/]+)$/

/** Where a system keeps its programs: what lies there is what its name says. */
const SYSTEM = /^\/(bin|sbin|usr|opt|snap|nix|Library|Applications)\/(?!.*\.\.)/

/** A command without what only starts it. */
export interface Started {
  /** The program's name, and its arguments; undefined where it is not known which program runs. */
  name: Word
  args: Word[]
  /** The program as it was written, where that is a file of the project. */
  file?: string
  /** What else starts with it cannot be told; a sentence. */
  doubt?: string
}

/** Looks through programs that only start another one. What `xargs` adds to a command is a word that is not known. */
export function readStarted(words: readonly Word[]): Started {
  let rest = [...words]
  let isFilled = false
  for (;;) {
    const name = rest[0] === undefined ? '' : basename(rest[0])
    const starter = Object.hasOwn(STARTERS, name) ? STARTERS[name]! : undefined
    if (!starter) break
    isFilled ||= name === 'xargs'
    let at = 1
    for (; at < rest.length; at++) {
      const word = rest[at]
      if (word === '--') {
        at++
        break
      }
      if (word === undefined) return { name: undefined, args: [] }
      const set = name === 'env' ? settingOf(word, rest[at + 1]) : undefined
      if (set !== undefined && tellsPrograms(set))
        return { name, args: [], doubt: `setting ${set.name} changes what programs do` }
      if (starter.valued?.test(word)) at++
      else if (starter.flags.test(word)) {
        if (name === 'command' && /[vV]/.test(word)) return { name: 'type', args: [] }
      } else if (word.startsWith('-')) return { name, args: [], doubt: `${name} ${word} may start anything` }
      else break
    }
    if (name === 'timeout') at++
    // By itself: sudo -v, env, exec with redirections.
    if (at >= rest.length) return { name: 'true', args: [] }
    rest = rest.slice(at)
  }
  const [first, ...args] = isFilled ? [...rest, undefined] : rest
  if (first === undefined) return { name: undefined, args }
  const name = basename(first)
  const isFile = first.includes('/') && !SYSTEM.test(first) && !INSTALLED.test(first)
  return { name, args, ...(isFile && { file: first }) }
}

/** Stands for all variables. */
const EVERY = 'AI_AGENT'

/** What a word of `env` does to a variable: sets it, or takes it out. To take all out takes out what names the agent. */
function settingOf(word: string, next: Word): { name: string; value: Word } | undefined {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(word) ?? []
  if (name !== undefined) return { name, value }
  if (/^(-u|--unset)$/.test(word)) return { name: next ?? EVERY, value: undefined }
  return /^(-i|-|--ignore-environment)$/.test(word) ? { name: EVERY, value: undefined } : undefined
}

/** Settings by which programs run other programs than they seem to, or look in other places. */
const TELLING =
  /^(PATH|CDPATH|IFS|ENV|BASH_ENV|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|PS4|LD_\w+|DYLD_\w+|GIT_\w+|NODE_OPTIONS|NODE_PATH|PYTHON(STARTUP|PATH|HOME|INSPECT)|PERL5\w*|RUBY(OPT|LIB)|JAVA_TOOL_OPTIONS|\w*PAGER|\w*EDITOR|VISUAL|BROWSER|LESS(OPEN|CLOSE|KEY)?|MAKEFLAGS|MAKEFILES|npm_config_\w+|TAR_OPTIONS|GREP_OPTIONS|RSYNC_\w+|SSH_\w+|SVC_\w+|GUARD_\w+|XDG_\w+)$/i
const HARMLESS: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/PAGER$|EDITOR$|^VISUAL$/, /^(cat|less|true|:|)$/],
  [/^GIT_(TERMINAL_PROMPT|OPTIONAL_LOCKS|(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|MERGE_AUTOEDIT|TRACE\w*)$/, /^[^/]*$/],
  [/^NODE_OPTIONS$/, /^(--max[-_]old[-_]space[-_]size=\d+|--no-warnings|--enable-source-maps|\s)*$/],
  [/^SVC_(AGENT_KEY(_FILE)?|TASK_SESSION)$/, /^/],
]

/** Whether setting a variable changes what the programs after it do, in a way that cannot be told. */
export function tellsPrograms({ name, value }: { name: string; value: Word }): boolean {
  if (NAMES_AGENT.has(name)) return true
  if (!TELLING.test(name)) return false
  return value === undefined || !HARMLESS.some(([names, values]) => names.test(name) && values.test(value))
}
