import { expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

const LANGUAGES = {
  python: (body: string) => `def f(name, prefix, count: int, text: str):\n${body.replaceAll(/^/gm, '    ')}\n`,
  javascript: (body: string) => `function f(name, prefix, count, text) {\n${body}\n}\n`,
} as const

function find(language: keyof typeof LANGUAGES, body: string, needs_prefix?: string) {
  const sinks = [{ calls: ['*.sink', 'sink'], arguments: [0], ...(needs_prefix !== undefined && { needs_prefix }) }]
  return follow(LANGUAGES[language](body), sinkRule(language, { class: 'sql', sources: ['unknown'], sinks })).matches
}

test.each([
  ['a parameter', 'sink("a " + name)'],
  ['a parameter by way of a variable', 'line = "a " + name\nsink(line)'],
  ['what a function gives of which nothing is known', 'sink("a " + read_name())'],
  ['a member of a parameter', 'sink("a " + name.first)'],
  ['an element of a parameter', 'sink("a " + name[0])'],
  ['a text that a method makes of it', 'sink("a " + name.strip())'],
])('%s is of unknown origin', (_, body) => {
  expect(find('python', body)).toHaveLength(1)
})

test.each([
  ['a fixed text', 'sink("a " + "b")'],
  ['a number', 'sink("a " + str(count))'],
  ['what is made a number', 'sink("a " + str(int(name)))'],
  ['a constant of the program', 'sink("a " + TABLE)'],
  ['what the code calls a name of its own', 'sink("a " + prefix)'],
  ['a choice between fixed texts', 'line = "a" if name else "b"\nsink(line)'],
  ['what was compared with a list', 'if name not in ("a", "b"):\n    return\nsink("a " + name)'],
])('%s is not', (_, body) => {
  expect(find('python', body)).toEqual([])
})

test('the index that a method hands to its function is a number', () => {
  expect(find('javascript', 'sink("a " + name.map((_, at) => `$${at}`).join(","))')).toEqual([])
  expect(find('javascript', 'sink("a " + name.map((each, at) => `${each}`).join(","))')).toHaveLength(1)
})

test('a text counts by what stands before the first part of unknown origin', () => {
  const value = "=\\s*'?$"
  expect(find('python', 'sink("where a = \'" + name + "\'")', value)).toHaveLength(1)
  expect(find('python', 'sink(f"select from {prefix} where a = {name}")', value)).toHaveLength(1)
  expect(find('python', 'sink("order by " + name)', value)).toEqual([])
})

test('a name of a table or column is text of the program for SQL alone', () => {
  const findFor = (sinkClass: string) =>
    follow(
      LANGUAGES.javascript('sink("a " + field)'),
      sinkRule('javascript', { sources: ['unknown'], class: sinkClass }),
    ).matches
  expect(findFor('sql')).toEqual([])
  expect(findFor('code')).toHaveLength(1)
  expect(find('javascript', 'sink(`where ${field} = ${name}`)', '=\\s*$')).toHaveLength(1)
})

test('a value that is declared as a text is surer than one of which nothing is said', () => {
  expect(find('python', 'sink("a " + text)').map(({ confidence }) => confidence)).toEqual([0.8])
  expect(find('python', 'sink("a " + name)').map(({ confidence }) => confidence)).toEqual([0.5])
})

test('where input that is known reaches the same sink, that alone is reported', () => {
  const code = 'from flask import request\ndef f(name):\n    sink("a " + name + request.args["b"])\n    sink(name)\n'
  const unknown = sinkRule('python', { id: 'b-rule', sources: ['unknown'] })
  const { matches } = follow(code, sinkRule('python'), unknown)
  expect(matches.map(({ rule, line, confidence }) => [rule, line, confidence])).toEqual([
    [0, 3, 0.95],
    [1, 4, 0.5],
  ])
})

test('a value of unknown origin is counted where the rule is off that finds known input at the same sink', () => {
  const code = 'from flask import request\ndef f(name):\n    sink("a " + name + request.args["b"])\n'
  const unknown = sinkRule('python', { id: 'b-rule', sources: ['unknown'] })
  const off = { ...sinkRule('python'), muted: true }
  const { matches, excluded } = follow(code, off, unknown)
  expect(matches).toEqual([])
  expect(excluded).toEqual([{ rule: 1, lines: [3] }])
})

test('a name of a table is text of the program in a query, and may be code elsewhere', () => {
  const code = 'def f(table_name):\n    sink(table_name)\n'
  const find = (sinkClass: string) =>
    follow(code, sinkRule('python', { class: sinkClass, sources: ['unknown'] })).matches
  expect(find('sql')).toEqual([])
  expect(find('code')).toHaveLength(1)
})

test('a part that is text of the program for one class of sink ends what is known of the beginning for the others', () => {
  const find = (sinkClass: string) => {
    const sinks = [{ calls: ['sink'], arguments: [0], needs_prefix: '^<a \\W+$' }]
    const rule = sinkRule('javascript', { class: sinkClass, sources: ['unknown'], sinks })
    return follow(LANGUAGES.javascript('sink(`<a ${prefix}>${name}`)'), rule).matches
  }
  expect(find('sql')).toHaveLength(1)
  expect(find('code')).toEqual([])
})

test('a text that begins as it must on one way alone counts, if the value is in it there', () => {
  const body = (text: string) => `line = name\nif count:\n    line = ${text}\nsink(line)`
  expect(find('python', body('"a \\"" + line'), '^a')).toHaveLength(1)
  expect(find('python', body('"a b"'), '^a')).toEqual([])
  expect(find('python', body('"a " + prefix'), '^a')).toEqual([])
  expect(find('python', `${body('"a " + name').replace('sink(line)', 'sink("b " + line)')}`, '^b a')).toHaveLength(1)
})

test('of a condition and a text the text counts, with its beginning', () => {
  expect(find('javascript', 'sink(count && "a " + name)', '^a $')).toHaveLength(1)
  expect(find('javascript', 'sink(name && "a")')).toEqual([])
})

test('what is counted up is a number', () => {
  expect(find('javascript', 'sink("a " + ++name)')).toEqual([])
  expect(find('javascript', 'sink("a " + name + 1)')).toHaveLength(1)
})
