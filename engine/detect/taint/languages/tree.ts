import type { SgNode } from '@ast-grep/napi'
import type { ModuleForm } from '../ir.ts'
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
