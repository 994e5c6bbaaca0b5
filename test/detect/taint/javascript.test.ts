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
  ['through objects that jQuery puts together', "const m = $.extend(true, { a: 'x' }, { a: param }); sink(m.a)"],
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
  ['by another field of objects that jQuery puts together', "const m = $.extend({ a: param }, { b: 'x' }); sink(m.b)"],
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
  ['a function of the file has the name of the sink', 'sink(param)', 'function sink(text) { return text.length }'],
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

/** What the rule about a class of sink finds in a file. */
function found(sinkClass: string, code: string): number {
  return follow(code, { ...rule('javascript'), class: sinkClass }).matches.length
}

describe('as it was sent, and until it is decoded,', () => {
  test('an address holds no line break', () => {
    expect(found('log', "app.use((req, res) => { sink('asked for ' + req.originalUrl) })")).toBe(0)
    expect(found('log', 'app.use((req, res) => { sink(decodeURIComponent(req.originalUrl)) })')).toBe(1)
    expect(found('log', "app.use((req, res) => { sink(new URL(req.url, 'http://x').searchParams.get('a')) })")).toBe(1)
    expect(found('shell', 'app.use((req, res) => { sink(req.originalUrl) })')).toBe(1)
  })

  test('a header holds no line break, and no markup that a page of others could send', () => {
    for (const sinkClass of ['log', 'html', 'header'])
      expect(found(sinkClass, "app.use((req, res) => { sink(req.headers['x-name']) })")).toBe(0)
    expect(found('html', "app.use((req, res) => { sink(Buffer.from(req.headers['x-name'], 'base64')) })")).toBe(1)
    expect(found('sql', "app.use((req, res) => { sink(req.get('x-name')) })")).toBe(1)
  })
})

describe('of what a function elsewhere is given', () => {
  test('pages, redirects, queries and logs get what it looked up or built', () => {
    for (const sinkClass of ['html', 'redirect', 'nosql', 'log']) {
      expect(found(sinkClass, "app.get('/x', async (req, res) => { sink(await pages.find(req.query.name)) })")).toBe(0)
      expect(
        found(sinkClass, "app.get('/x', (req, res) => { pages.load(req.query.name, (err, page) => { sink(page) }) })"),
      ).toBe(0)
    }
  })

  test('another form of it comes out where its name says so', () => {
    expect(found('html', "app.get('/x', (req, res) => { sink(schema.parse(req.query).name) })")).toBe(1)
    expect(found('html', "app.get('/x', (req, res) => { sink(codec.decode(req.query.name)) })")).toBe(1)
  })

  test('files and commands get it as it was', () => {
    for (const sinkClass of ['path', 'shell', 'sql'])
      expect(found(sinkClass, "app.get('/x', (req, res) => { sink(names.of(req.query.name)) })")).toBe(1)
  })
})

test('an answer that a header is set on holds nothing of the request', () => {
  const code = "app.get('/x', (req, res) => { res.setHeader('x', cacheFor(req.query.a)); sink(res.locals.page) })"
  expect(found('path', code)).toBe(0)
})

test('what a comparing operator of MongoDB is given is no operator', () => {
  expect(found('nosql', "app.post('/x', (req, res) => { sink({ roles: { $in: [req.body.role] } }) })")).toBe(0)
  expect(found('nosql', "app.post('/x', (req, res) => { sink({ role: req.body.role }) })")).toBe(1)
})

test('a check of a path by its place counts for paths alone', () => {
  const code = (sinkClass: string) =>
    found(
      sinkClass,
      "app.get('/x', (req, res) => { const file = join(ROOT, req.query.f); if (!isPathInside(file, ROOT)) return; sink(file) })",
    )
  expect(code('path')).toBe(0)
  expect(code('shell')).toBe(1)
})

test('what comes on a socket that the program opened is an answer', () => {
  const client =
    "const WebSocket = require('ws')\nconst ws = new WebSocket(url)\nws.on('message', data => { sink(data) })"
  const server =
    "const { WebSocketServer } = require('ws')\nnew WebSocketServer({ port }).on('connection', ws => { ws.on('message', data => { sink(data) }) })"
  expect(found('log', client)).toBe(0)
  expect(found('log', server)).toBe(1)
})

test('what is looked up under a name is neither a path nor an address of the asker', () => {
  for (const sinkClass of ['path', 'url'])
    expect(found(sinkClass, "app.get('/x', (req, res) => { sink(icons.findIcon(req.query.name)) })")).toBe(0)
  expect(found('sql', "app.get('/x', (req, res) => { sink(icons.findIcon(req.query.name)) })")).toBe(1)
})

test('a part of a parsed address is encoded, and what it is asked for is not', () => {
  const page = (part: string) => found('html', `app.use((req, res) => { sink(new URL(req.url, 'http://x').${part}) })`)
  expect(page('search')).toBe(0)
  expect(page("searchParams.get('a')")).toBe(1)
  const parsed = (part: string) =>
    found(
      'html',
      `const url = require('url')\napp.use((req, res) => { sink('no host ' + url.parse(req.url.slice(1), true).${part}) })`,
    )
  expect(parsed('hostname')).toBe(0)
  expect(parsed('query.a')).toBe(1)
})
