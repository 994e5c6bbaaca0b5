import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installModels } from '../../../engine/detect/taint/models.ts'
import { compileLibrary, compileModels } from '../../../engine/sources/packs/libraries/compile.ts'
import { parseLibrary, readLibraries } from '../../../engine/sources/packs/libraries/read.ts'
import { teachRules } from '../../../engine/sources/packs/libraries/teach.ts'
import { ROOT } from '../../root.ts'
import { follow, sinkRule } from './follow.ts'

beforeAll(async () => {
  const files = await readLibraries(join(ROOT, 'packs/libraries'))
  installModels(compileModels(files.map(({ library }) => library)))
})
afterAll(() => installModels(undefined))

/** A language, and a file around statements in which `p` (in Java `param`) is what a client sent. */
const FILES: Record<string, [language: string, file: (body: string) => string]> = {
  python: [
    'python',
    body =>
      `import bisect, collections, heapq, io, operator, queue, shutil, struct\nimport email.message\nimport xml.etree.ElementTree\nfrom flask import Flask, request\n@app.route("/x")\ndef view():\n    p = request.args.get("p")\n${body.replace(/^/gm, '    ')}\n`,
  ],
  javascript: [
    'javascript',
    body =>
      `const _ = require('lodash')\nconst $ = require('jquery')\napp.get('/x', (req, res) => {\n  const p = req.query.p\n${body}\n})\n`,
  ],
  java: [
    'java',
    body =>
      `import javax.servlet.http.*;\nclass A extends HttpServlet {\n  public void doPost(HttpServletRequest request, HttpServletResponse response) throws Exception {\n    String param = request.getParameter("p");\n${body}\n  }\n}\n`,
  ],
  kotlin: [
    'kotlin',
    body =>
      `class A : HttpServlet() {\n  override fun doGet(request: HttpServletRequest, response: HttpServletResponse) {\n    val p = request.getParameter("p")\n${body}\n  }\n}\n`,
  ],
  go: [
    'go',
    body =>
      `package a\n\nimport (\n\t"bytes"\n\t"container/list"\n\t"encoding/hex"\n\t"encoding/json"\n\t"fmt"\n\t"io"\n\t"maps"\n\t"net/http"\n\t"net/url"\n\t"strings"\n\t"sync"\n)\n\nfunc f(w http.ResponseWriter, r *http.Request) {\n\tp := r.FormValue("p")\n${body}\n}\n`,
  ],
  csharp: [
    'csharp',
    body =>
      `using System.Text; using System.IO; using System.Collections.Generic;\npublic class A : Controller {\n  public IActionResult F() {\n    var p = Request.Query["p"].ToString();\n${body}\n    return Ok();\n  }\n}\n`,
  ],
  php: ['php', body => `<?php\n$p = $_GET['p'];\n${body}\n`],
  ruby: ['ruby', body => `class A < ApplicationController\n  def index\n    p = params[:p]\n${body}\n  end\nend\n`],
  c: ['c', body => `void f(int fd) {\n  char p[64];\n  recv(fd, p, 64, 0);\n${body}\n}\n`],
  cpp: ['cpp', body => `void f(int fd) {\n  char p[64];\n  recv(fd, p, 64, 0);\n${body}\n}\n`],
}

/** `### <title>`, statements after which input reaches the sink, `---`, and statements that look the same after which it does not. */
function pairsOf(path: string): [title: string, bad: string, good: string][] {
  return readFileSync(path, 'utf8')
    .split(/^### /m)
    .slice(1)
    .map(part => {
      const line = part.slice(0, part.indexOf('\n'))
      const [bad, good] = part.slice(line.length + 1).split(/^---\n/m)
      return [line, bad!, good!]
    })
}

const folder = join(import.meta.dirname, 'propagators')

describe.each(readdirSync(folder))('of the calls in %s', name => {
  const [language, file] = FILES[name.replace(/\.txt$/, '')]!
  const rule = sinkRule(language, { class: 'html', sinks: [{ calls: ['*.sink', 'sink', 'Sink'], arguments: [0] }] })
  const reaches = (body: string): boolean => follow(file(body), rule).matches.length > 0

  test.each(pairsOf(join(folder, name)))(
    'what goes in comes out where the documentation says so: %s',
    (_, bad, good) => {
      expect({ bad: reaches(bad), good: reaches(good) }).toEqual({ bad: true, good: false })
    },
  )
})

/** The library with these propagators. */
async function makeLibrary(propagators: string) {
  const text = `library: Acme\nlanguages: [python]\npropagators: [${propagators}]\nmatch: [a]\nclean: [b]\n`
  return parseLibrary(Buffer.from(text), 'acme.yaml')
}

describe('a propagator of a library', () => {
  const reaches = async (propagators: string, body: string): Promise<boolean> => {
    const libraries = [compileLibrary(await makeLibrary(propagators))]
    return follow(FILES.python![1](body), sinkRule('python', { class: 'html', libraries })).matches.length > 0
  }
  const cases: [what: string, propagators: string, bad: string, good: string][] = [
    [
      'from one argument to the result, and not from another',
      '{ calls: [acme.choose], from: argument 1 }',
      'sink(acme.choose("a", p))',
      'sink(acme.choose(p, "a"))',
    ],
    [
      'from a keyword argument',
      '{ calls: [acme.choose], from: argument text }',
      'sink(acme.choose(text=p))',
      'sink(acme.choose(mode=p))',
    ],
    [
      'from the arguments behind the first',
      '{ calls: [acme.choose], from: arguments from 1 }',
      'sink(acme.choose("a", "b", p))',
      'sink(acme.choose(p, "a", "b"))',
    ],
    [
      'to a field of the receiver, and from there',
      '{ calls: ["*.set_name"], to: receiver.name }, { calls: ["*.get_name"], from: receiver.name }, { calls: ["*.get_age"], from: receiver.age }',
      'user = load()\nuser.set_name(p)\nsink(user.get_name())',
      'user = load()\nuser.set_name(p)\nsink(user.get_age())',
    ],
    [
      'to a field of an argument',
      '{ calls: [acme.fill], from: argument 1, to: argument 0.name }',
      'user = load()\nacme.fill(user, p)\nsink(user.name)',
      'user = load()\nacme.fill(user, p)\nsink(user.age)',
    ],
    [
      'to a field of the result',
      '{ calls: [acme.make], to: result.name }',
      'user = acme.make(p)\nsink(user.name)',
      'user = acme.make(p)\nsink(user.age)',
    ],
    [
      'where a condition on another argument holds',
      '{ calls: [acme.choose], from: argument 0, when: [{ argument: 1, matches: ^raw$ }] }, { calls: [acme.choose], from: argument 1 }',
      'sink(acme.choose(p, "raw"))',
      'sink(acme.choose(p, "safe"))',
    ],
    [
      'through a chain to the variable that it began with',
      '{ calls: ["*.with_part"], from: [receiver, arguments], to: [receiver, result] }',
      'made = load()\nmade.with_part("a").with_part(p).with_part("b")\nsink(made)',
      'made = load()\nmade.with_part("a").with_part("b")\nsink(made)',
    ],
    [
      'to a variable until something else is assigned to it',
      '{ calls: ["*.put_in"], to: receiver }',
      'made = load()\nif p:\n    made.put_in(p)\nsink(made)',
      'made = load()\nif p:\n    made.put_in(p)\nmade = load()\nsink(made)',
    ],
    [
      'to a value that was checked before',
      '{ calls: ["*.put_in"], to: receiver }',
      'made = p\nif made in ("a", "b"):\n    made.put_in(p)\n    sink(made)',
      'made = p\nif made in ("a", "b"):\n    made.put_in("c")\n    sink(made)',
    ],
    [
      'to an element of a list',
      '{ calls: ["*.put_in"], to: receiver }',
      'all = load()\nall[0].put_in(p)\nsink(all[0])',
      'all = load()\nall[0].put_in("a")\nsink(all[0])',
    ],
  ]
  test.each(cases)('moves what goes in %s', async (_, propagators, bad, good) => {
    expect({ bad: await reaches(propagators, bad), good: await reaches(propagators, good) }).toEqual({
      bad: true,
      good: false,
    })
  })

  test('of the repository adds to what a call gives, and takes nothing from it', async () => {
    const library = await makeLibrary('{ calls: ["*.upper", acme.choose], from: argument 1 }')
    const rule = sinkRule('python')
    const [taught] = teachRules([{ ...rule, pack_id: 'own', requirement: {} } as never], [library])
    const found = (body: string) => follow(FILES.python![1](body), taught as never).matches.length
    expect([
      found('sink(p.upper("a", "b"))'),
      found('sink(acme.choose(p, "a"))'),
      found('sink(acme.choose("a", "b"))'),
    ]).toEqual([1, 1, 0])
  })

  test.each(['from: result', 'to: arguments', 'to: argument', 'from: argument 0.', 'from: field', 'to: receiver name'])(
    'is refused with %s, and the message says what may stand there',
    async entry => {
      const refusal = await makeLibrary(`{ calls: [acme.choose], ${entry} }`).catch(error => error.faults[0].message)
      expect(refusal).toMatch(/receiver.*argument 0.*list of them/)
    },
  )
})

test('a propagator of one class is asked before a call of any class that propagates nothing', async () => {
  const text = `library: Acme\nlanguages: [python]\npropagators: [{ calls: [acme.choose] }]\nnon_propagators: ["*.choose"]\nmatch: [a]\nclean: [b]\n`
  const libraries = [compileLibrary(await parseLibrary(Buffer.from(text), 'acme.yaml'))]
  const find = (body: string) =>
    follow(FILES.python![1](body), sinkRule('python', { class: 'html', libraries })).matches
  expect(find('sink(acme.choose(p))')).toHaveLength(1)
  expect(find('sink(other.choose(p))')).toEqual([])
})
