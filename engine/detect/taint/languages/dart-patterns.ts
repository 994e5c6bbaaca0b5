import type { Expression, Span, Statement } from '../ir.ts'
import { makeDeclaration, makeExpression, makeLiteralAt, makeStatement, makeUnknown } from './syntax.ts'
import { unescapeText } from './tree.ts'

/** What a pattern does: what it binds, and the fixed values that it takes, one of them unknown where it takes others. */
export interface Pattern {
  target: Expression
  tests: Expression[]
  /** Whether it binds a variable. */
  binds: boolean
  /** The type that it asks for, where it is nothing but a variable of it. */
  type?: string
}

const NUMBER = /^-?\d[\w.]*$/
const TEXT = /^r?(?:'([^'$]*)'|"([^"$]*)")$/

/** Reads a pattern. In a declaration each name is a variable, elsewhere a constant. */
export function readPattern(text: string, at: Span, isDeclaration: boolean): Pattern {
  const written = text.replace(/\/\/[^\n]*/g, '').trim()
  const choices = split(written, '||')
  if (choices.length > 1) {
    const all = choices.map(choice => readPattern(choice, at, isDeclaration))
    const bound = all.find(({ binds }) => binds)
    return { target: (bound ?? all[0]!).target, tests: all.flatMap(({ tests }) => tests), binds: bound !== undefined }
  }
  return readOne(written, at, isDeclaration)
}

/** A variable that takes whatever is there. */
function bind(name: string, at: Span, type?: string): Pattern {
  const target = name === '_' ? makeUnknown(at) : makeExpression(at, { kind: 'name', name })
  return { target, tests: [makeUnknown(at)], binds: name !== '_', ...(type !== undefined && { type }) }
}

function readOne(written: string, at: Span, isDeclaration: boolean): Pattern {
  const text = written.replace(/(?<=[\w)\]}])\s*[?!]$|\s+as\s+[\w<>, ?]+$/g, '')
  const variable = /^(?:(?:final|var)\s+)?(?:([A-Za-z_][\w.]*(?:<[^()]*>)?)\??\s+)?(\w+)$/.exec(text)
  const isVariable = isDeclaration || /^(?:final|var)\s/.test(text) || variable?.[1] !== undefined || text === '_'
  if (variable && isVariable && !/^(?:const|null|true|false)$/.test(variable[1] ?? text) && !NUMBER.test(text))
    return bind(variable[2]!, at, variable[1])
  const fixed = readConstant(text, at)
  if (fixed) return { target: makeUnknown(at), tests: [fixed], binds: false }
  const open = /^(?:const\s+)?(?:[\w.]+)?(?:<[^()[\]{}]*>)?\s*([([{])/.exec(text)
  if (!open || !/[)\]}]$/.test(text)) return { target: makeUnknown(at), tests: [makeUnknown(at)], binds: false }
  const parts = split(text.slice(open[0].length, -1), ',').filter(part => part.trim() !== '')
  const isRecord = open[1] === '(' && open[0].length === 1
  if (isRecord && parts.length === 1 && !/^\s*\w*\s*:/.test(parts[0]!)) return readPattern(parts[0]!, at, isDeclaration)
  const items = parts.map(part => readPart(part.trim(), at, isDeclaration))
  const binds = items.some(item => item.value.binds)
  const target =
    open[1] === '[' || items.every(({ key }) => !key)
      ? makeExpression(at, { kind: 'list', items: items.map(({ value, spread }) => ({ value: value.target, spread })) })
      : makeExpression(at, { kind: 'map', entries: items.map(({ key, value }) => ({ key, value: value.target })) })
  return { target, tests: [makeUnknown(at)], binds }
}

/** `name: pattern`, `:name`, `'key': pattern`, `...rest`. */
function readPart(
  part: string,
  at: Span,
  isDeclaration: boolean,
): { key?: Expression; value: Pattern; spread?: boolean } {
  if (part.startsWith('...')) return { value: readPattern(part.slice(3) || '_', at, true), spread: true }
  const short = /^:\s*(?:(?:final|var)\s+)?(?:[\w.<>]+\??\s+)?(\w+)[?!]?$/.exec(part)
  if (short) return { key: makeLiteralAt(at, short[1]!), value: bind(short[1]!, at) }
  const [name, ...rest] = split(part, ':')
  if (rest.length === 0) return { value: readPattern(part, at, isDeclaration) }
  const key = TEXT.exec(name!.trim())
  return {
    key: makeLiteralAt(at, key ? (key[1] ?? key[2] ?? '') : name!.trim()),
    value: readPattern(rest.join(':'), at, isDeclaration),
  }
}

function readConstant(text: string, at: Span): Expression | undefined {
  const quoted = TEXT.exec(text)
  if (quoted) return makeLiteralAt(at, unescapeText(quoted[1] ?? quoted[2] ?? ''))
  if (NUMBER.test(text)) return makeLiteralAt(at, Number(text))
  if (text === 'null') return makeLiteralAt(at, null)
  if (text === 'true' || text === 'false') return makeLiteralAt(at, text === 'true')
  if (!/^\w+(?:\.\w+)*$/.test(text)) return undefined
  // A constant of a class.
  const [first, ...names] = text.split('.')
  return names.reduce<Expression>(
    (object, name) => makeExpression(at, { kind: 'member', object, name }),
    makeExpression(at, { kind: 'name', name: first! }),
  )
}

/** Parts of a text between separators that stand in no brackets or quotes. */
function split(text: string, separator: string): string[] {
  const out: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === "'" || char === '"') at = Math.max(at, text.indexOf(char, at + 1))
    else if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) depth--
    else if (depth === 0 && text.startsWith(separator, at)) {
      out.push(text.slice(start, at))
      at += separator.length - 1
      start = at + 1
    }
  }
  out.push(text.slice(start))
  return out
}

/** `pattern = value` as statements. */
export function bindPattern({ target, binds, type }: Pattern, at: Span, value: Expression): Statement[] {
  if (!binds) return []
  if (target.kind === 'name') return [makeDeclaration(at, target.name, type, value)]
  return [
    makeStatement(at, {
      kind: 'expression',
      value: makeExpression(at, { kind: 'assign', target, value, declares: true }),
    }),
  ]
}

/** Whether a value is one that the pattern takes. */
export function makeTest({ target, tests, binds, type }: Pattern, at: Span, value: Expression): Expression {
  const [first, ...more] = tests
  if (!binds && tests.every(({ kind }) => kind !== 'unknown'))
    return more.length === 0
      ? makeExpression(at, { kind: 'binary', operator: '==', left: value, right: first! })
      : makeExpression(at, {
          kind: 'binary',
          operator: 'in',
          left: value,
          right: makeExpression(at, { kind: 'list', items: tests.map(each => ({ value: each })) }),
        })
  if (!binds) return makeUnknown(at, [value])
  return makeExpression(at, { kind: 'assign', target, value, declares: true, ...(type !== undefined && { type }) })
}
