import { DECLARATION_FORMS, type DeclarationForm, type NameStyle } from './declaration-forms.ts'

/** A function or type that a file declares. */
export interface Declaration {
  name: string
  kind: 'function' | 'type'
  line: number
  is_public: boolean
  documented: boolean
  /** Whether types are written; undefined where the language always has them, and for types. */
  typed?: boolean
}

/** Longer lines are data or minified: only their beginning is matched, so that the work is linear. */
const LINE = 500

const FORM_BY_LANGUAGE = new Map(DECLARATION_FORMS.flatMap(form => form.languages.map(name => [name, form] as const)))

/** How a language declares; undefined where svc has no table for it. */
export function findForm(language: string): DeclarationForm | undefined {
  return FORM_BY_LANGUAGE.get(language)
}

/**
 * The declarations of a text, line by line: an approximation for counting conventions, which takes a declaration in a comment or string for
 * one. A documentation string or comment must directly adjoin the declaration.
 */
export function listDeclarations(text: string, form: DeclarationForm): Declaration[] {
  const lines = text.split('\n')
  const found: Declaration[] = []
  for (const [index, whole] of lines.entries()) {
    const line = whole.slice(0, LINE)
    const match = firstMatch(form.functions, line)
    const type = match ? undefined : firstMatch(form.types, line)
    const name = match ?? type
    if (name === undefined) continue
    found.push({
      name,
      kind: match === undefined ? 'type' : 'function',
      line: index + 1,
      is_public: form.isPublic.test(line),
      documented: form.documented === 'below' ? hasDocstring(lines, index) : hasComment(lines, index, form),
      ...(match !== undefined && form.typed && { typed: form.typed.test(signature(lines, index)) }),
    })
  }
  return found
}

function firstMatch(patterns: readonly RegExp[], line: string): string | undefined {
  for (const pattern of patterns) {
    const name = pattern.exec(line)?.[1]
    if (name !== undefined) return name
  }
  return undefined
}

/** A declaration's head from its first parenthesis on, at most eight lines. */
function signature(lines: readonly string[], index: number): string {
  const head: string[] = []
  for (const line of lines.slice(index, index + 8)) {
    const code = withoutComment(line)
    head.push(code)
    if (code.endsWith(':') || code.endsWith('{')) break
  }
  const text = head.join(' ')
  return text.slice(Math.max(0, text.indexOf('(')))
}

/** The beginning of a line without a comment that `#` begins after a blank. */
function withoutComment(line: string): string {
  const text = line.slice(0, LINE)
  const at = text.indexOf(' #')
  return (at === -1 ? text : text.slice(0, at)).trim()
}

function hasDocstring(lines: readonly string[], index: number): boolean {
  let at = index
  const last = Math.min(lines.length - 1, index + 20)
  while (at < last && !withoutComment(lines[at]!).endsWith(':')) at++
  for (const line of lines.slice(at + 1, at + 4)) {
    if (line.trim() === '') continue
    return /^\s*[rRuU]?["']/.test(line.slice(0, LINE))
  }
  return false
}

function hasComment(lines: readonly string[], index: number, { comment, between }: DeclarationForm): boolean {
  for (let at = index - 1; at >= Math.max(0, index - 8); at--) {
    const line = lines[at]!.slice(0, LINE).trimEnd()
    if (between?.test(line)) continue
    return comment?.test(line) ?? false
  }
  return false
}

/** The style of a name; undefined where it fits every style, as a single lower-case word does, or none. */
export function findNameStyle(name: string): NameStyle | 'other' | undefined {
  const plain = name.replace(/^[_$]+|[_$]+$/g, '')
  if (plain === '' || /^[a-z][a-z0-9]*$/.test(plain)) return undefined
  if (/^[A-Z]$/.test(plain)) return undefined
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(plain)) return 'UPPER_CASE'
  if (/^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/.test(plain)) return 'snake_case'
  if (/^[a-z][A-Za-z0-9]*$/.test(plain)) return 'camelCase'
  if (/^[A-Z][A-Za-z0-9]*$/.test(plain)) return 'PascalCase'
  return 'other'
}
