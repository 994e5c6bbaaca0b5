import type { SgNode } from '@ast-grep/napi'
import type { Expression, ModuleForm, Span } from '../ir.ts'
import type { KeptStatements } from './kept-statements.ts'

/** Lowers one language's trees. Whatever it is given it answers: what it does not know becomes `unknown` with its parts. */
export interface LanguageAdapter {
  /** `kept` is what is known of other texts, or of an earlier one of the file; languages whose trees are dear to read draw on it. */
  lower(root: SgNode, text: string, kept?: KeptStatements): ModuleForm
}

/** Kinds of comments, over all grammars. */
export const COMMENTS: ReadonlySet<string> = new Set([
  'comment',
  'line_comment',
  'block_comment',
  'multiline_comment',
  'html_comment',
])

/** Where a node stands. */
export function toSpan(node: SgNode): Span {
  const { start, end } = node.range()
  return { start: start.index, end: end.index }
}

/** The named children, comments left out; and those of these kinds, which have no name in the grammar. */
export function listNamedChildren(node: SgNode, unnamed: ReadonlySet<string> = NONE): SgNode[] {
  // To ask each child whether it has a name is another call into native code.
  if (unnamed === NONE) return node.namedChildren().filter(child => !COMMENTS.has(child.kind() as string))
  return node
    .children()
    .filter(child => (child.isNamed() ? !COMMENTS.has(child.kind() as string) : unnamed.has(child.kind() as string)))
}

const NONE: ReadonlySet<string> = new Set()

/** Finds rows by the kind of a node. Each is named by a kind, or by several with spaces between them; any other kind has the row `other`. */
export function indexByKind<Row>(
  other: NoInfer<Row>,
  rows: Readonly<Record<string, NoInfer<Row>>>,
): (kind: string) => Row {
  const index = new Map(
    Object.entries(rows).flatMap(([kinds, row]) => kinds.split(' ').map(kind => [kind, row] as const)),
  )
  return kind => index.get(kind) ?? other
}

/** A literal text that nothing in the program stands for. */
export function makeLiteral(span: Span, value: string | number | boolean | null): Expression {
  return { kind: 'literal', value, start: span.start, end: span.end }
}

/** What a quoted text with backslashes says; before a letter that means nothing a backslash is left out. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(
    /\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|\r?\n|(.))/gsu,
    (_, four?: string, braced?: string, eight?: string, two?: string, char?: string) => {
      const digits = four ?? braced ?? eight ?? two
      if (digits !== undefined) return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(digits, 16)))
      return char === undefined ? '' : (ESCAPES[char] ?? char)
    },
  )
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '0': '\0', s: ' ' }

/** A body is lowered when it is first asked for. */
export function memoize<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
