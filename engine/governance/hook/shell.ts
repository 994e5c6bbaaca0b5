import { parse, type SgNode } from '@ast-grep/napi'
import { registerGrammars } from '../../rules/grammar.ts'

/** A word of a command: its text, or undefined where it is known only when the shell runs. */
export type Word = string | undefined

/** A simple command as the shell would start it. */
export interface Command {
  words: Word[]
  /** The files that its output goes to. */
  writes: Word[]
  /** It reads the output of the command before it. */
  piped: boolean
  /** The shell that it runs in: `0`, and `0/3` for one started within; a change of folder stays within it. */
  shell: string
  /** Whether it runs may depend on what came before. */
  maybe: boolean
  /** Commands that run only together, joined by `&&`, have the same number. */
  group: number
  /** A document or string given on the spot as its input. */
  input?: Word
}

/** What a script consists of, in the order of its text; undefined where it is no shell that can be read. */
export function commandsOf(script: string, env: Readonly<Record<string, string | undefined>>): Command[] | undefined {
  if (!registerGrammars(['bash']).has('bash')) return undefined
  const root = parse('bash', script).root()
  if (root.has({ rule: { kind: 'ERROR' } })) return undefined
  const commands: Command[] = []
  const known = new Map<string, Word>(['HOME', 'PWD', 'TMPDIR', 'USER'].map(name => [name, env[name]]))
  walk(root, { commands, known, counter: { next: 1 }, shell: '0', group: 0, maybe: false, piped: false })
  return commands
}

interface Walk {
  commands: Command[]
  /** Variables whose value is known. */
  known: Map<string, Word>
  counter: { next: number }
  shell: string
  group: number
  maybe: boolean
  piped: boolean
  input?: Word
}

function walk(node: SgNode, state: Walk): void {
  const kind = String(node.kind())
  if (kind === 'redirected_statement') {
    const body = node.field('body')
    const redirects = node.children().filter(child => /_redirect$/.test(String(child.kind())))
    const writes = redirects.flatMap(redirect => targetsOf(redirect, state))
    const input = redirects.map(redirect => inputOf(redirect, state)).find(text => text !== NONE)
    const below = input === undefined ? state : { ...state, input: input as Word }
    const isGroup = body === null || !['command', 'list', 'pipeline'].includes(String(body.kind()))
    // A group's output is opened before anything in it runs; that of a list is its last command's.
    if (isGroup) push(state, { words: [], writes })
    if (body) walk(body, below)
    if (!isGroup) state.commands.at(-1)?.writes.push(...writes)
    for (const redirect of redirects) for (const child of redirect.children()) substitutions(child, state)
    return
  }
  if (kind === 'pipeline') {
    const parts = node.children().filter(child => child.isNamed())
    for (const [index, part] of parts.entries()) walk(part, inner(state, { piped: index > 0 || state.piped }))
    return
  }
  if (kind === 'variable_assignment') {
    assign(node, state)
    return
  }
  if (kind === 'command') {
    const words: Word[] = []
    const writes: Word[] = []
    let input: Word | undefined = state.input
    for (const child of node.children()) {
      const childKind = String(child.kind())
      if (childKind === 'variable_assignment') continue
      if (/_redirect$/.test(childKind)) {
        writes.push(...targetsOf(child, state))
        const text = inputOf(child, state)
        if (text !== NONE) input = text as Word
      } else if (child.isNamed()) {
        words.push(childKind === 'command_name' ? wordOf(child.children()[0] ?? child, state) : wordOf(child, state))
        substitutions(child, state)
      }
    }
    push(state, { words, writes, ...(input !== undefined && { input }) })
    return
  }
  if (kind === 'list') {
    const [left, right] = node.children().filter(child => child.isNamed())
    const isOr = node.children().some(child => child.text() === '||' && !child.isNamed())
    if (left) walk(left, state)
    if (right) walk(right, { ...state, maybe: true, ...(isOr && { group: state.counter.next++ }) })
    return
  }
  if (kind === 'subshell') {
    const within = inner(state, {})
    for (const child of node.children()) walk(child, { ...within, group: state.counter.next++ })
    return
  }
  if (kind === 'declaration_command') {
    for (const child of node.children()) {
      if (String(child.kind()) === 'variable_assignment') assign(child, state)
    }
    return
  }
  if (kind === 'for_statement') {
    const name = node.field('variable')?.text()
    if (name) state.known.set(name, undefined)
  }
  const isCertain = kind === 'program' || kind === 'compound_statement'
  for (const child of node.children())
    walk(child, { ...state, group: state.counter.next++, maybe: state.maybe || !isCertain })
}

function push(
  { commands, shell, group, maybe, piped }: Walk,
  command: Pick<Command, 'words' | 'writes' | 'input'>,
): void {
  commands.push({ ...command, shell, group, maybe, piped })
}

/** The state in a shell that is started within another. */
function inner(state: Walk, more: Partial<Walk>): Walk {
  return { ...state, shell: `${state.shell}/${state.counter.next++}`, input: undefined, ...more }
}

function assign(node: SgNode, state: Walk): void {
  const name = node.field('name')?.text()
  const value = node.field('value')
  if (name) state.known.set(name, value ? wordOf(value, state) : '')
  if (value) substitutions(value, state)
}

/** Commands that stand within a word run too. */
function substitutions(node: SgNode, state: Walk): void {
  const kinds = [{ kind: 'command_substitution' }, { kind: 'process_substitution' }]
  for (const found of node.findAll({ rule: { any: kinds } })) {
    const within = inner(state, { piped: false })
    for (const child of found.children()) walk(child, within)
  }
}

const NONE = Symbol('no input')

function inputOf(redirect: SgNode, state: Walk): Word | typeof NONE {
  const kind = String(redirect.kind())
  if (kind === 'herestring_redirect') {
    const word = redirect.children().find(child => child.isNamed())
    return word ? wordOf(word, state) : NONE
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
  const target =
    redirect.field('destination') ??
    redirect
      .children()
      .filter(child => child.isNamed())
      .at(-1)
  if (!target) return []
  const word = wordOf(target, state)
  return operator.endsWith('&') && word !== undefined && /^(\d+|-)$/.test(word) ? [] : [word]
}

/** A word's text as the shell would make it. */
function wordOf(node: SgNode, state: Walk): Word {
  const text = node.text()
  switch (String(node.kind())) {
    case 'word':
    case 'number':
    case 'file_descriptor':
      return bare(text, state)
    case 'raw_string':
      return text.slice(1, -1)
    case 'string': {
      let value = ''
      let at = node.range().start.index + 1
      const source = node.getRoot().root().text()
      for (const child of node.children().filter(child => child.isNamed())) {
        const { start, end } = child.range()
        value += source.slice(at, start.index)
        const part =
          String(child.kind()) === 'string_content'
            ? child
                .text()
                .replace(/\\([$`"\\])/g, '$1')
                .replaceAll('\\\n', '')
            : wordOf(child, state)
        if (part === undefined) return undefined
        value += part
        at = end.index
      }
      return value + source.slice(at, node.range().end.index - 1)
    }
    case 'concatenation': {
      const parts = node.children().map(child => wordOf(child, state))
      return parts.includes(undefined) ? undefined : parts.join('')
    }
    case 'simple_expansion':
    case 'expansion': {
      const name = /^\$\{?(\w+)\}?$/.exec(text)?.[1]
      return name === undefined ? undefined : state.known.get(name)
    }
    default:
      return undefined
  }
}

/** Text without quotes: `~` and backslashes are resolved; what the shell would fill in from the disk is not known. */
function bare(text: string, state: Walk): Word {
  const home = state.known.get('HOME')
  if (/^~(\/|$)/.test(text)) {
    const rest = bare(text.slice(1), state)
    return home === undefined || rest === undefined ? undefined : `${home}${rest}`
  }
  if (/(^|[^\\])[*?[{]/.test(text) || text.startsWith('~')) return undefined
  return text.replace(/\\(.)/g, '$1')
}
