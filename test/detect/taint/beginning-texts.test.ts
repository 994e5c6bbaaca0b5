import { expect, test } from 'vitest'
import { findBeginningTexts } from '../../../engine/detect/taint/beginning-texts.ts'
import { follow, sinkRule } from './follow.ts'

const rule = sinkRule('java', {
  sources: ['unknown'],
  when: '"select\\s',
  sinks: [{ calls: ['*.sink', 'sink'], arguments: [0], needs_prefix: '^select\\s' }],
})

const count = (members: string) => follow(`class A {\n${members}\n}`, rule).matches.length

test.each([
  ['in the function that has the sink', 'void f(Out out, String a) { out.sink("select " + a); }'],
  [
    'in a constant of the class',
    'static final String Q =\n "select ";\nvoid f(Out out, String a) { out.sink(Q + a); }',
  ],
  [
    'in a function that gives it',
    'String begin() { return "select "; } void f(Out out, String a) { out.sink(begin() + a); }',
  ],
  [
    'in a fixed argument of a function of the file under the name of a sink',
    'void f(Out o, String a) { sink("select "); } private void sink(String q) { this.out.sink(q + this.name); }',
  ],
])('a text that a rule asks for counts %s', (_, members) => {
  expect(count(members)).toBe(1)
})

const ruleFor = (language: string) =>
  sinkRule(language, {
    sources: ['unknown'],
    when: '["\'`]select\\s',
    sinks: [{ calls: ['*.sink', 'sink'], arguments: [0], needs_prefix: '^select\\s' }],
  })

test.each([
  [
    'helper of one letter',
    'java',
    'class A { String q() { return "select "; } void f(Out o, String a) { o.sink(q() + a); } }',
  ],
  [
    'hidden function of one letter that has the sink',
    'java',
    'class A { private void q(Out o, String x) { o.sink(x); } void f(Out o, String a) { q(o, "select " + a); } }',
  ],
  [
    'constant with a declared type',
    'typescript',
    'const Q: string = "select "; export function f(o, a) { o.sink(Q + a) }',
  ],
  ['constant with an annotation', 'python', 'Q: str = "select "\ndef f(o, a):\n    o.sink(Q + a)\n'],
  [
    'constant of Go with a type',
    'go',
    'package a\nvar q string = "select "\nfunc F(o *O, a string) { o.sink(q + a) }\n',
  ],
  [
    'constant that a function gave',
    'javascript',
    'function fill() { return "select " } const q = fill(); export function f(o, a) { o.sink(q + a) }',
  ],
  [
    'other name of a function',
    'javascript',
    'function fill() { return "select " } const run = fill; export function f(o, a) { o.sink(run() + a) }',
  ],
  [
    'entry of an object that is a function',
    'javascript',
    'const q = { all: () => "select " }; export function f(o, a) { o.sink(q.all() + a) }',
  ],
  ['function in a list', 'javascript', 'const q = [() => "select "]; export function f(o, a) { o.sink(q[0]() + a) }'],
])('a text counts that comes by a %s', (_, language, code) => {
  expect(follow(code, ruleFor(language)).matches).toHaveLength(1)
})

test('a private field is no comment', () => {
  const text = 'class A {\n  #query = "select ";\n  f(o, a) { o.sink(this.#query + a) }\n}'
  expect(find(text, [{ name: 'f', from: 'f(o' }])?.names).toEqual(['query'])
})

function find(text: string, functions: { name: string; from: string }[]) {
  const all = functions.map(({ name, from }) => {
    const start = text.indexOf(from)
    return { name, start, end: text.indexOf('}', start) + 1 }
  })
  return findBeginningTexts(rule, all as never, { classes: [] } as never, text, 'java')
}

function select(text: string, functions: { name: string; from: string }[]) {
  return find(text, functions)?.places.map(place => text.slice(place, place + 9))
}

test('a field that a function sets which has such a text may hold it', () => {
  const text = 'A() { this.q = "select "; } void f() { o.sink(this.q + a); }'
  const found = find(text, [
    { name: 'constructor', from: 'A()' },
    { name: 'f', from: 'void f' },
  ])
  expect(found?.names).toEqual(['q'])
})

test('a fixed text that is all that a sink is passed is not followed', () => {
  const text = 'void f() { o.sink("select 1"); o.sink("select 2" + a); log("select 3"); }'
  expect(select(text, [{ name: 'f', from: 'void f' }])).toEqual(['"select 2', '"select 3'])
})

test('a text in a comment outside of functions is none', () => {
  const text = '/**\n * sink("select x" + y)\n */\nvoid f() { o.sink("select 2" + a); }'
  expect(select(text, [{ name: 'f', from: 'void f' }])).toBeDefined()
})

test('a text outside of functions under no plain name may be anywhere', () => {
  const text = 'static { put("a", "select x"); }\nvoid f() { o.sink("select 2" + a); }'
  expect(select(text, [{ name: 'f', from: 'void f' }])).toBeUndefined()
})
