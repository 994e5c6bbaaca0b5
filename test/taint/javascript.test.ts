import { describe, expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

const rule = (language: string) => sinkRule(language, { sources: ['request', 'request-text'] })

/** Whether input reaches `sink(…)` in the body of an Express handler, with further code beside it. */
function reaches(body: string, more = ''): boolean {
  const code = `app.get('/x', (req, res) => {\n  const param = req.query.p\n  ${body}\n})\n${more}\n`
  return follow(code, rule('javascript')).matches.length > 0
}

const REACHES: [name: string, body: string, more?: string][] = [
  ['through a variable', 'const a = param; sink(a)'],
  ['where a text with escapes is compared', "let a = 'x'; if ('\\u006dd5' === 'md5') { a = param } sink(a)"],
  ['through a template', 'sink(`a${param}b`)'],
  ['through a concatenation in steps', "let a = 'x'; a += param; sink(a)"],
  ['through a default', "sink(param || 'x')"],
  ['through a conditional', "sink(flag() ? param : 'x')"],
  ['through an array', "const l = ['x']; l.push(param); sink(l[1])"],
  ['through an object', "const m = { a: param, b: 'x' }; sink(m.a)"],
  ['through a pattern', 'const { a: [b] } = { a: [param] }; sink(b)'],
  ['through a spread', 'const m = { ...{ a: param } }; sink(m.a)'],
  ['through a loop', 'for (const x of [param]) sink(x)'],
  ['through a switch', "let a; switch (flag()) { case 1: a = 'x'; break; default: a = param } sink(a)"],
  ['through a try', "let a = 'x'; try { a = param } catch (e) {} sink(a)"],
  ['through a function of the file', 'sink(own(param))', "function own(x) { return 'a' + x }"],
  ['through an arrow function of the file', 'sink(own(param))', "const own = x => 'a' + x"],
  ['through a function within the handler', 'function own() { return param } sink(own())'],
  [
    'through an object of a class',
    'sink(new Own(param).get())',
    'class Own { constructor(x) { this.x = x } get() { return this.x } }',
  ],
  ['through an await', 'sink(await param)'],
  ['within a callback of a call that cannot be seen', "db.load('x', (err, rows) => { sink(param) })"],
  ['through a promise', 'Promise.resolve(param).then(x => sink(x))'],
  ['through a function elsewhere', 'sink(helper.work(param))'],
  ['where the handler is taken from another object', 'const { p } = req.body; sink(p)'],
]

const KEPT: [name: string, body: string, more?: string][] = [
  ['a variable is set anew', "let a = param; a = 'x'; sink(a)"],
  ['a condition never holds', "let a = 'x'; if (1 > 2) { a = param } sink(a)"],
  ['a text with an escape in braces is compared', "let a = param; if ('\\u{6d}d5' === 'md5') { a = 'x' } sink(a)"],
  ['a fixed text stays one as a text', "let a = param; if ('a'.toString() === 'a') { a = 'x' } sink(a)"],
  ['another element is taken', "const l = ['x', param]; sink(l[0])"],
  ['another key is taken', "const m = { a: param, b: 'x' }; sink(m.b)"],
  ['only a number is used', 'sink(parseInt(param, 10))'],
  ['a plus makes a number of it', 'sink(+param)'],
  ['only its type or length is used', 'sink(typeof param); sink(param.length)'],
  ['it is one of the texts written out', "if (!['a', 'b'].includes(param)) return; sink(param)"],
  ['it is found in a list', "if (['a', 'b'].indexOf(param) === -1) return; sink(param)"],
  ['an expression lets nothing harmful through', 'if (!/^[a-z0-9]+$/.test(param)) return; sink(param)'],
  ['all other characters are taken out', "sink(param.replace(/[^a-z0-9]/g, ''))"],
  ['it is looked up', 'sink(KNOWN[param])'],
  ['the function returns something else', 'sink(own(param))', "function own(x) { return 'a' }"],
  ['it is a part of a tagged template', 'sink(sql`a ${param}`)'],
  ['rows of a query are used', "const rows = await db.query('x', [param]); sink(rows)"],
]

describe('in JavaScript, input reaches a sink', () => {
  test.each(REACHES)('%s', (_, body, more) => {
    expect(reaches(body, more)).toBe(true)
  })
})

describe('in JavaScript, nothing is found where', () => {
  test.each(KEPT)('%s', (_, body, more) => {
    expect(reaches(body, more)).toBe(false)
  })
})

const HANDLERS: [name: string, language: string, code: string][] = [
  ['a function that is exported', 'javascript', 'exports.find = function (req, res) { sink(req.params.id) }'],
  ['what a function returns', 'javascript', 'module.exports = () => { return (req, res) => { sink(req.body.a) } }'],
  ['one within a wrapper', 'javascript', 'app.get("/x", wrap(async (req, res) => { sink(req.body.a) }))'],
  ['one that takes its request apart', 'javascript', 'app.get("/x", ({ body }, res) => { sink(body.a) })'],
  [
    'one under its own name',
    'javascript',
    'app.get("/x", own)\nconst own = async (req, res) => { sink(req.get("X")) }',
  ],
  ['one of Koa', 'javascript', 'app.use(async ctx => { sink(ctx.request.body.a) })'],
  [
    'a typed one',
    'typescript',
    'export async function find(req: Request, res: Response) { sink(req.query.a as string) }',
  ],
  [
    'a method with decorated parameters',
    'typescript',
    'class A {\n  @Get("x")\n  find(@Query("q") q: string) { sink(q) }\n}',
  ],
  ['a property of a class', 'typescript', 'class A { find = async (req, res) => { sink(req.query.a) } }'],
  ['a component of a page', 'tsx', 'export const f = (req, res) => { sink(req.query.a); return <b>{1}</b> }'],
]

describe('a handler is', () => {
  test.each(HANDLERS)('%s', (_, language, code) => {
    expect(follow(code, rule(language)).matches).toHaveLength(1)
  })
})

test('what is imported under another name is known by its own', () => {
  const more = { ...rule('javascript'), sinks: [{ calls: ['child_process.exec'], arguments: [0] }] }
  const code = (imports: string) => `${imports}\napp.get('/x', (req, res) => { run(req.query.a) })`
  for (const imports of [
    "import { exec as run } from 'node:child_process'",
    "const { exec: run } = require('child_process')",
    "const run = require('child_process').exec",
    "const { exec } = require('child_process')\nconst run = promisify(exec)",
  ])
    expect(follow(code(imports), more).matches, imports).toHaveLength(1)
  expect(follow(code("import { run } from 'other'"), more).matches).toHaveLength(0)
})
