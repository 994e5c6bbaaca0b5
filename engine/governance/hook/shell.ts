import { parse, type SgNode } from '@ast-grep/napi'
import { registerGrammars } from '../../detect/syntax/grammar.ts'
import { readVariables, type Variables } from './variables.ts'
import { toWord, type Word } from './words.ts'

export type { Word }

/** A simple command as the shell would start it. */
export interface Command {
  words: Word[]
  /** The files that its output goes to. */
  writes: Word[]
  /** Variables that are set for it alone, or from here on where it has no words. */
  sets: { name: string; value: Word }[]
  /** It reads the output of the command before it. */
  piped: boolean
  /** The shell that it runs in: `0`, and `0/3` for one started within; a change of folder stays within it. */
  shell: string
  /** Whether it runs may depend on what came before. */
  maybe: boolean
  /** It may run more than once in the same shell. */
  again: boolean
  /** Commands that run only together, joined by `&&`, have the same number. */
  group: number
  /** A document or string given on the spot as its input. */
  input?: Word
}

/** What a script consists of. */
export interface Script {
  /** In the order of its text. */
  commands: Command[]
  /** Names of the functions that it defines; what stands in them is among the commands. */
  functions: ReadonlySet<string>
}

/** Characters and commands of a script that is looked into; a hook that takes long is passed over by some agents. */
const LONGEST = 500_000
const MOST = 2000
/** Commands within commands within commands. */
const DEEPEST = 400

/** Reads a script; undefined where it is no shell that can be read, or more than can be looked into. */
export function parseScript(script: string, env: Readonly<Record<string, string | undefined>>): Script | undefined {
  if (script.length > LONGEST || nesting(script) > DEEPEST) return undefined
  if (!registerGrammars().has('bash')) return undefined
  const root = parse('bash', script).root()
  if (root.has({ rule: { kind: 'ERROR' } }) || hidesCommands(root)) return undefined
  const commands: Command[] = []
  const known = readVariables(root, env)
  walk(root, {
    commands,
    known,
    counter: { next: 1 },
    shell: '0',
    group: 0,
    maybe: false,
    again: false,
    piped: false,
  })
  if (commands.length > MOST) return undefined
  const defined = root.findAll({ rule: { kind: 'function_definition' } })
  return { commands, functions: new Set(defined.map(one => one.field('name')?.text() ?? '')) }
}

/** How deep brackets of any kind may be nested at most, whatever they are: trees are walked by recursion. */
function nesting(script: string): number {
  let [depth, deepest] = [0, 0]
  for (const character of script) {
    if ('({['.includes(character)) deepest = Math.max(deepest, ++depth)
    else if (')}]'.includes(character) && depth > 0) depth--
  }
  return deepest
}

/**
 * Whether a command stands where the shell reads it only later: in the subscript of an array, quoted, which `let`,
 * `[[ … -eq … ]]`, `printf -v` and their like evaluate as arithmetic, and run what is substituted there.
 */
function hidesCommands(root: SgNode): boolean {
  const quoted = root.findAll({ rule: { any: [{ kind: 'raw_string' }, { kind: 'string_content' }] } })
  return quoted.some(node =>
    (String(node.kind()) === 'raw_string' ? /\w\[[^\]]*(\$\(|`)/ : /\w\[[^\]]*\\(\$\(|`)/).test(node.text()),
  )
}

interface Walk {
  commands: Command[]
  known: Variables
  counter: { next: number }
  shell: string
  group: number
  maybe: boolean
  again: boolean
  piped: boolean
  input?: Word
}

type Visit = (node: SgNode, state: Walk) => void

const isRedirect = (node: SgNode): boolean => /_redirect$/.test(String(node.kind()))
const named = (node: SgNode): SgNode[] => node.children().filter(child => child.isNamed())

const VISITS: Readonly<Record<string, Visit>> = {
  redirected_statement(node, state) {
    const body = node.field('body')
    const redirects = node.children().filter(isRedirect)
    const writes = redirects.flatMap(redirect => targetsOf(redirect, state))
    const input = redirects.map(redirect => inputOf(redirect, state)).find(text => text !== NONE)
    const below = input === undefined ? state : { ...state, input: input as Word }
    const isGroup = body === null || !['command', 'list', 'pipeline'].includes(String(body.kind()))
    // A group's output is opened before anything in it runs; that of a list is its last command's.
    if (isGroup) push(state, { words: [], writes })
    if (body) walk(body, below)
    if (!isGroup) state.commands.at(-1)?.writes.push(...writes)
    for (const redirect of redirects) within(redirect, state)
  },
  pipeline(node, state) {
    for (const [index, part] of named(node).entries())
      walk(part, inner(state, { piped: index > 0 || state.piped, ...(index === 0 && { input: state.input }) }))
  },
  variable_assignment(node, state) {
    const name = node.field('name')
    const value = node.field('value')
    if (name) {
      // `NAME+=`, `NAME[0]=`: what comes of it is not known.
      const isPlain = /^\w+=/.test(node.text())
      const word = value ? toWord(value, state.known) : ''
      state.known.set(name.text(), isPlain && !state.maybe && state.shell === '0' ? word : undefined)
      push(state, { words: [], writes: [], sets: [{ name: name.text(), value: isPlain ? word : undefined }] })
    }
    if (value) substitutions(value, state)
  },
  command(node, state) {
    const words: Word[] = []
    const writes: Word[] = []
    const sets: Command['sets'] = []
    let input = state.input
    for (const child of node.children()) {
      const kind = String(child.kind())
      if (kind === 'variable_assignment') {
        const value = child.field('value')
        sets.push({ name: child.field('name')?.text() ?? '', value: value ? toWord(value, state.known) : '' })
      } else if (isRedirect(child)) {
        writes.push(...targetsOf(child, state))
        const text = inputOf(child, state)
        if (text !== NONE) input = text as Word
      } else if (child.isNamed()) {
        const word = toWord(kind === 'command_name' ? (child.children()[0] ?? child) : child, state.known)
        // What a message in quotes says is nothing that git would do.
        words.push(word === undefined && kind === 'string' && isMessage(words) ? '' : word)
      }
      if (isRedirect(child)) within(child, state)
      else if (child.isNamed()) substitutions(child, state)
    }
    // `cd` by itself goes home.
    if (words.length === 1 && words[0] === 'cd') words.push(state.known.get('HOME'))
    push(state, { words, writes, sets, ...(input !== undefined && { input }) })
  },
  list(node, state) {
    const [left, right] = named(node)
    const isOr = node.children().some(child => child.text() === '||' && !child.isNamed())
    if (left) walk(left, state)
    if (right) walk(right, { ...state, maybe: true, ...(isOr && { group: state.counter.next++ }) })
  },
  subshell(node, state) {
    const below = inner(state, {})
    for (const child of node.children()) walk(child, { ...below, group: state.counter.next++ })
  },
  unset_command(node, state) {
    const words = named(node).map(child => toWord(child, state.known))
    for (const word of words) if (word !== undefined) state.known.set(word, undefined)
    push(state, { words: ['unset', ...words], writes: [] })
    for (const child of named(node)) substitutions(child, state)
  },
  declaration_command(node, state) {
    for (const child of node.children()) {
      if (String(child.kind()) === 'variable_assignment') walk(child, state)
      else if (child.isNamed()) substitutions(child, state)
    }
  },
}

/** Whether the next word is the message of a commit, or of the like. */
function isMessage(words: readonly Word[]): boolean {
  return words[0] === 'git' && /^(-[a-z]*m|--message)$/.test(words.at(-1) ?? '')
}

/** What may run more than once. */
const AGAIN = new Set(['for_statement', 'c_style_for_statement', 'while_statement', 'function_definition'])

function walk(node: SgNode, state: Walk): void {
  const kind = String(node.kind())
  const visit = Object.hasOwn(VISITS, kind) ? VISITS[kind] : undefined
  if (visit) {
    visit(node, state)
    return
  }
  // A function's redirections, and those of whatever else has its own.
  const redirects = node.children().filter(isRedirect)
  if (redirects.length > 0)
    push(state, { words: [], writes: redirects.flatMap(redirect => targetsOf(redirect, state)) })
  const isCertain = kind === 'program' || kind === 'compound_statement'
  const below = { ...state, maybe: state.maybe || !isCertain, again: state.again || AGAIN.has(kind) }
  for (const child of node.children()) {
    if (isRedirect(child)) within(child, state)
    else walk(child, { ...below, group: state.counter.next++ })
  }
}

function push(
  { commands, shell, group, maybe, again, piped }: Walk,
  command: Pick<Command, 'words' | 'writes' | 'input'> & { sets?: Command['sets'] },
): void {
  commands.push({ sets: [], ...command, shell, group, maybe, again, piped })
}

/** The state in a shell that is started within another. */
function inner(state: Walk, more: Partial<Walk>): Walk {
  return { ...state, shell: `${state.shell}/${state.counter.next++}`, again: false, input: undefined, ...more }
}

/** Commands that stand within a word run too; those within them are found in their turn. */
function substitutions(node: SgNode, state: Walk): void {
  const isOne = /^(command|process)_substitution$/.test(String(node.kind()))
  if (!isOne) {
    for (const child of node.children()) substitutions(child, state)
    return
  }
  const below = inner(state, { piped: false })
  for (const child of node.children()) walk(child, below)
}

/** What runs within a redirection: substitutions, and what follows a document on the line that it begins on. */
function within(redirect: SgNode, state: Walk): void {
  for (const child of redirect.children()) {
    if (/^(pipeline|command|list|redirected_statement|subshell|compound_statement)$/.test(String(child.kind())))
      walk(child, inner(state, { piped: String(child.kind()) === 'pipeline' }))
    else if (String(child.kind()) !== 'file_redirect') substitutions(child, state)
  }
}

const NONE = Symbol('no input')

function inputOf(redirect: SgNode, state: Walk): Word | typeof NONE {
  const kind = String(redirect.kind())
  if (kind === 'herestring_redirect') {
    const word = named(redirect)[0]
    return word ? toWord(word, state.known) : NONE
  }
  if (kind !== 'heredoc_redirect') return NONE
  const body = redirect.find({ rule: { kind: 'heredoc_body' } })
  return body?.children().some(child => child.isNamed() && String(child.kind()) !== 'heredoc_content')
    ? undefined
    : body?.text()
}

/** The files that a redirection writes; what goes to another descriptor writes none. */
function targetsOf(redirect: SgNode, state: Walk): Word[] {
  if (String(redirect.kind()) === 'heredoc_redirect')
    return redirect
      .children()
      .filter(child => String(child.kind()) === 'file_redirect')
      .flatMap(child => targetsOf(child, state))
  if (String(redirect.kind()) !== 'file_redirect') return []
  const operator =
    redirect
      .children()
      .find(child => /[<>]/.test(child.text()) && !child.isNamed())
      ?.text() ?? ''
  if (!operator.includes('>')) return []
  const target = redirect.field('destination') ?? named(redirect).at(-1)
  // Into a process: what that does with it stands within.
  if (!target || String(target.kind()) === 'process_substitution') return []
  const word = toWord(target, state.known)
  return operator.endsWith('&') && word !== undefined && /^(\d+|-)$/.test(word) ? [] : [word]
}
