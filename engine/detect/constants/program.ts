import { Positions } from '../../base/text/positions.ts'
import { OneLine } from '../lexer/layout.ts'
import { parseTrees } from '../syntax/between.ts'
import type { ClassForm, Expression, ModuleForm, Span, Statement } from '../taint/ir.ts'
import { findAdapter } from '../taint/languages/adapters.ts'
import { type Definition, MOST_DEFINITIONS } from './definition.ts'

type Constant = Definition['value']

/** Values in maps of constants are read so many names deep. */
const DEEPEST = 4

/**
 * The constants of a file of code: what its names, the fields of its classes and its enumerations hold, where that is one fixed value. A name
 * that is assigned more than once, or under a condition, is none. What the file exports by default is under its own names.
 */
export function listConstants(language: string, text: string): Definition[] {
  const adapter = findAdapter(language)
  const trees = adapter && parseTrees(language, text, new OneLine(language))
  if (!adapter || !trees || 'reason' in trees) return []
  const reader = new ConstantReader(text)
  reader.readModule(adapter.lower(trees.bare, text), language)
  return reader.definitions
}

/**
 * Whether a text may give a name a fixed value that `listConstants` finds, by what stands behind the name: a literal, or the name of another
 * constant, which is no call. Most names that are asked for are those of types, and nothing is parsed for these.
 */
export function mayGiveValue(language: string, text: string, name: string): boolean {
  if (!text.includes(name)) return false
  const isGo = language === 'go'
  const literal = '(?:["\'`]|-?\\d)'
  // `string("x")` of Go is a constant.
  const value = `(?:@?\\$?${literal}|[A-Za-z]{1,3}["']|(?![\\w.$]*\\s*\\()[A-Za-z_$]${isGo ? `|[\\w.]{1,40}\\(${literal}` : ''})`
  // Members of enumerations of Java and Kotlin are made like objects: `AES("aes")`.
  const member = /^(?:java|kotlin)$/.test(language) ? '|\\(\\s*["\']' : ''
  const type = isGo ? '(?:[ \\t]+[\\w.]+)?' : '(?:\\s*[:?][^=\\n]{0,80})?'
  return new RegExp(`\\b${name}\\b["']?${type}\\s*(?:${isGo ? '=' : '[=:]>?'}\\s*${value}${member})`).test(text)
}

class ConstantReader {
  readonly #text: string
  readonly #positions: Positions
  readonly #found = new Map<string, { value: Constant; span: Span }>()
  readonly #maps = new Map<string, Expression & { kind: 'map' }>()
  readonly #changed = new Set<string>()

  constructor(text: string) {
    this.#text = text
    this.#positions = new Positions(text)
  }

  get definitions(): Definition[] {
    const own = [...this.#found].filter(([name]) => !this.#changed.has(name.split('.')[0]!))
    return own.slice(0, MOST_DEFINITIONS).map(([name, { value, span }]) => {
      const { line, column } = this.#positions.at(span.start)
      const end = this.#positions.at(span.end)
      return { name, value, line, column, end_column: end.line === line ? end.column : column + 1 }
    })
  }

  readModule(module: ModuleForm, language: string): void {
    const seen = new Set<string>()
    for (const statement of module.body()) this.#readStatement(statement, seen)
    const isFixedOnly = !/^(?:(?:java|type)script|tsx|ruby)$/.test(language)
    for (const form of module.classes) this.#readClass(form, isFixedOnly)
    const exported = /^[ \t]*export[ \t]+default[ \t]+(\w+)[ \t]*;?[ \t]*$/m.exec(this.#text)
    const map = exported && this.#maps.get(exported[1]!)
    if (map) this.#define('', map, map, 0)
    if (language === 'go') this.#dropVariables()
    if (/^(?:java|type)script$|^tsx$|^java$/.test(language)) this.#readEnumerations(language)
    for (const [, names = ''] of this.#text.matchAll(/^[ \t]*global[ \t]+([\w, \t]{1,200})/gm))
      for (const name of names.split(',')) this.#changed.add(name.trim())
  }

  #readStatement(statement: Statement, seen: Set<string>): void {
    const assigned = readAssigned(statement)
    if (!assigned) {
      // What is assigned under a condition, in a loop or where something failed is not known.
      for (const name of listAssigned(statement)) this.#changed.add(name)
      return
    }
    const { name, value } = assigned
    if (name !== '' && seen.has(name)) this.#changed.add(name)
    seen.add(name)
    this.#define(name, value, statement, 0)
  }

  #define(name: string, expression: Expression, span: Span, depth: number): void {
    const inner = unwrap(expression)
    if (inner.kind === 'map') {
      if (name !== '') this.#maps.set(name, inner)
      if (depth >= DEEPEST) return
      for (const { key, value } of inner.entries) {
        const own = key && (key.kind === 'literal' || key.kind === 'name' ? key : undefined)
        const last = own?.kind === 'literal' ? own.value : own?.name
        if (typeof last !== 'string' || /[.\s]/.test(last)) continue
        this.#define(name === '' ? last : `${name}.${last}`, value, { start: own!.start, end: value.end }, depth + 1)
      }
      return
    }
    // `module.exports = settings`: its names are the file's.
    const known = inner.kind === 'name' && name === '' ? this.#maps.get(inner.name) : undefined
    if (known) this.#define('', known, span, depth)
    const value = this.#fold(inner)
    if (value !== undefined && name !== '') this.#found.set(name, { value, span })
  }

  /** Only constants of Go keep their value. */
  #dropVariables(): void {
    for (const [, name] of this.#text.matchAll(/^[ \t]*var[ \t]+(\w+)/gm)) this.#changed.add(name!)
    for (const [, block = ''] of this.#text.matchAll(/^var[ \t]*\(([^)]*)\)/gm))
      for (const [, name] of block.matchAll(/^[ \t]*(\w+)/gm)) this.#changed.add(name!)
  }

  #readClass({ name: owner, fields }: ClassForm, isFixedOnly: boolean): void {
    const names = new Set<string>()
    for (const { name, value, isFixed, start, end } of fields) {
      if (isFixedOnly && !isFixed) continue
      const full = `${owner}.${name}`
      if (names.has(name)) {
        this.#found.delete(full)
        continue
      }
      names.add(name)
      const expression = value?.()
      if (expression) this.#define(full, expression, { start, end }, 0)
    }
  }

  /** `enum Algorithm { Weak = 'md5' }`, and in Java `WEAK("md5")` of an enumeration that keeps one text. */
  #readEnumerations(language: string): void {
    const isJava = language === 'java'
    for (const found of this.#text.matchAll(/\benum\s+(\w+)[^{};]{0,200}\{/g)) {
      const from = found.index + found[0].length
      const end = this.#text.indexOf(isJava ? ';' : '}', from)
      if (end === -1) continue
      const form = isJava
        ? /([A-Z]\w*)\s*\(\s*("[^"\\\n]*")\s*\)\s*(?=[,;])/y
        : /(\w+)\s*=\s*("[^"\\\n]*"|'[^'\\\n]*'|\d+)/y
      const body = this.#text.slice(from, Math.min(end + 1, from + 20_000))
      for (const entry of body.matchAll(new RegExp(form, 'g'))) {
        const [all, name = '', written = ''] = entry
        const value = /^\d/.test(written) ? Number(written) : written.slice(1, -1)
        const start = from + entry.index
        this.#found.set(`${found[1]}.${name}`, { value, span: { start, end: start + all.length } })
      }
    }
  }

  /** The value of an expression of literals and of the file's own constants before it. */
  #fold(expression: Expression): Constant | undefined {
    const inner = unwrap(expression)
    switch (inner.kind) {
      case 'literal':
        return inner.value ?? undefined
      case 'name':
        return this.#found.get(inner.name)?.value
      case 'member':
        return this.#found.get(this.#text.slice(inner.start, inner.end))?.value
      case 'text': {
        const parts = inner.parts.map(part => this.#fold(part))
        return parts.includes(undefined) ? undefined : parts.join('')
      }
      case 'binary': {
        if (inner.operator !== '+' && inner.operator !== 'concat') return undefined
        const [left, right] = [this.#fold(inner.left), this.#fold(inner.right)]
        return typeof left === 'string' && typeof right === 'string' ? left + right : undefined
      }
      case 'unary': {
        const value = this.#fold(inner.value)
        return inner.operator === '-' && typeof value === 'number' ? -value : undefined
      }
      default:
        return undefined
    }
  }
}

/** What stands in a cast, or in a call that only keeps a map from being changed. */
function unwrap(expression: Expression): Expression {
  if (expression.kind === 'cast') return unwrap(expression.value)
  if (expression.kind !== 'call' || expression.args.length !== 1) return expression
  const { callee } = expression
  const isFreeze = callee.kind === 'member' && callee.name === 'freeze'
  return isFreeze ? unwrap(expression.args[0]!.value) : expression
}

/** What a statement gives a name; under no name what the file exports as a whole. */
function readAssigned(statement: Statement): { name: string; value: Expression } | undefined {
  if (statement.kind === 'declare')
    return statement.value && { name: statement.name.replace(/^\$/, ''), value: statement.value }
  if (statement.kind !== 'expression') return undefined
  const { value } = statement
  if (value.kind === 'map') return { name: '', value }
  if (value.kind !== 'assign' || value.operator) return undefined
  const { target } = value
  if (target.kind === 'name') return { name: target.name.replace(/^\$/, ''), value: value.value }
  if (target.kind !== 'member' || target.object.kind !== 'name') return undefined
  // `module.exports = { … }` and `exports.CIPHER = …`.
  if (target.object.name === 'module' && target.name === 'exports') return { name: '', value: value.value }
  return target.object.name === 'exports' ? { name: target.name, value: value.value } : undefined
}

/** Names that are assigned anywhere in a statement. */
function listAssigned(statement: unknown): string[] {
  const out: string[] = []
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) for (const each of part) visit(each)
    else if (typeof part === 'object' && part !== null) {
      const { kind, name, target } = part as { kind?: string; name?: string; target?: Expression }
      if (kind === 'declare' && name !== undefined) out.push(name)
      if (kind === 'assign' && target?.kind === 'name') out.push(target.name)
      for (const each of Object.values(part)) if (typeof each === 'object') visit(each)
    }
  }
  visit(statement)
  return out
}
