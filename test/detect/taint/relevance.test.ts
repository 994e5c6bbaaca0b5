import { expect, test } from 'vitest'
import { isRelevant } from '../../../engine/detect/taint/relevance.ts'
import { follow, sinkRule } from './follow.ts'

const hash = sinkRule('java', {
  sources: [],
  sinks: [
    {
      calls: ['java.security.MessageDigest.getInstance'],
      when: [{ argument: 0, matches: '^MD5$', indirect: true }],
    },
  ],
})

test('a rule about fixed arguments has no chance where its type is not named', () => {
  expect(isRelevant(hash, 'java', 'String name = "MD5"; Codec.getInstance(name);')).toBe(false)
})

test('a rule about arguments that stand elsewhere has no chance where all of them are written in the calls', () => {
  expect(
    isRelevant(hash, 'java', 'MessageDigest.getInstance("MD5"); MessageDigest.getInstance( "MD5", provider)'),
  ).toBe(false)
})

test('a text that is put together in the call itself leaves such a rule its chance', () => {
  expect(isRelevant(hash, 'java', 'MessageDigest.getInstance("MD" + 5);')).toBe(true)
})

test('names count as a program writes them', () => {
  const rule = sinkRule('java')
  expect(isRelevant(rule, 'java', 'void f(HttpServletRequest r) { sink(r); }')).toBe(true)
  expect(isRelevant(rule, 'java', 'void f(HTTPSERVLETREQUEST r) { sink(r); }')).toBe(false)
})

test('the top level is followed where it only brings together what two functions do', () => {
  const code = `from flask import request
def given():
    return request.args["x"]
def use(value):
    sink(value)
use(given())
`
  expect(follow(code, sinkRule('python')).matches).toHaveLength(1)
})

test('what one framework calls its sources has no weight in a file that another one could be in', () => {
  const rule = sinkRule('javascript')
  const resolver = 'const resolvers = { Query: { user: (root, args) => sink(args.id) } }'
  expect(isRelevant(rule, 'javascript', resolver)).toBe(true)
  expect(isRelevant(rule, 'javascript', "io.on('connection', socket => socket.on('x', text => sink(text)))")).toBe(true)
  expect(isRelevant(rule, 'javascript', 'import io from "io"; function walk(root, args) { sink(io.read(root)) }')).toBe(
    false,
  )
})

test.each([
  ['csharp', 'public class A : ControllerBase { public void B(string id) { sink(id); } }'],
  ['csharp', 'public class A : BaseController { [HttpPatch] public void B(string id) { sink(id); } }'],
  ['csharp', 'class A { void B() { app.MapPatch("/{id}", (string id) => sink(id)); } }'],
  ['go', 'package p\nimport g "github.com/gin-gonic/gin"\nfunc a(c *g.Context) { sink(c.Query("x")) }\n'],
  ['java', 'class A extends B { void c() { sink(httpRequest.getParameter("x")); } }'],
  ['php', '<?php function a(Request $r) { sink($r->input("x")); }'],
  ['javascript', 'const resolvers = { Query: { a: async (first, second) => sink(second.id) } }'],
  [
    'javascript',
    "const io = require('socket.io')\nio.on('connection', socket => { socket?.on('x', text => sink(text)) })",
  ],
  ['javascript', "import W from 'ws'\nclass A { b() { this._ws.on('message', text => sink(text)) } }"],
  ['javascript', 'exports.handler = async event => { const { headers } = event; sink(headers.x) }'],
  ['javascript', 'exports.handler = async event => { sink(event?.body) }'],
  ['typescript', 'export const handler = async (e: APIGatewayProxyEvent) => { sink(e.body) }'],
  ['javascript', "export default defineEventHandler(async event => { sink(getRouterParam(event, 'x')) })"],
  ['javascript', 'module.exports = { a({ params }, response) { sink(params.id) } }'],
])('a source is looked for however the program writes it, in %s: %s', (language, code) => {
  const rule = sinkRule(language, { sources: ['request', 'request-text'] })
  expect(isRelevant(rule, language, code)).toBe(true)
  expect(follow(code, rule).matches).toHaveLength(1)
})

const cleartext = sinkRule('python', {
  sources: [],
  sinks: [
    { calls: ['urllib.request.urlopen', 'HTTP client.get'], when: [{ argument: 0, begins: '^http:' }] },
    { calls: ['ftplib.FTP'] },
  ],
})

test.each([
  ['the parts of its module', 'from urllib import request\nrequest.urlopen("http://a.b")'],
  ['the call that gives its object', 'import requests as r\nc = r.Session()\nc.get("http://a.b")'],
  ['its own module', 'from ftplib import FTP\nFTP("a.b")'],
])('a sink is looked for in a file that names %s', (_, code) => {
  expect(isRelevant(cleartext, 'python', code)).toBe(true)
  expect(follow(code, cleartext).matches).toHaveLength(1)
})

test.each([
  ['a part of its module alone', 'import request\nrequest.urlopen("http://a.b")'],
  ['nothing that gives its object', 'def read(options):\n    return options.get("http://a.b")'],
  ['the module of another sink', 'import ftplib\nread.get("http://a.b")'],
])('a sink has no chance in a file that names %s', (_, code) => {
  expect(isRelevant(cleartext, 'python', code)).toBe(false)
})

test('a rule about what a call makes has no chance where nothing names what the call is on', () => {
  const cookie = sinkRule('java', {
    sources: [],
    own_sources: [{ kind: 'cookie', label: 'cookie', calls: ['org.springframework.http.ResponseCookie.from'] }],
  })
  expect(isRelevant(cookie, 'java', 'void f() { sink(ResponseCookie.from("id", value)); }')).toBe(true)
  expect(isRelevant(cookie, 'java', 'void f() { sink(Duration.from(value)); }')).toBe(false)
})

const query = sinkRule('python', { sinks: [{ calls: ['sqlalchemy.text', '*.execute'], arguments: [0] }] })

test('a sink of known input is looked for in a file that names what it is called on', () => {
  const source = 'from flask import request\n'
  const read = 'def read():\n    return text(request.args["x"])\n'
  expect(isRelevant(query, 'python', `${source}${read}`)).toBe(false)
  expect(isRelevant(query, 'python', `${source}from sqlalchemy import text\n${read}`)).toBe(true)
  expect(isRelevant(query, 'python', `${source}${read}run.execute()\n`)).toBe(true)
})

test('in C a rule has a chance where its sinks and sources are called by their names', () => {
  const rule = sinkRule('c', { sources: ['environment'], sinks: [{ calls: ['system'], arguments: [0] }] })
  expect(isRelevant(rule, 'c', 'void f(void) { system (getenv("X")); }')).toBe(true)
  expect(isRelevant(rule, 'c', 'void f(void) { (system)(getenv("X")); }')).toBe(true)
  expect(isRelevant(rule, 'c', '/* of the system */ void f(void) { s->system(getenv("X")); }')).toBe(false)
  expect(isRelevant(rule, 'c', 'void f(char *x) { system(x); } /* no getenv */')).toBe(false)
})
