import { beforeAll, describe, expect, it } from 'vitest'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import type { CompiledRule } from '../../../engine/detect/rules/active-rules.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { followsInput } from '../../../engine/detect/taint/runs.ts'
import { parseLibrary } from '../../../engine/sources/packs/libraries/read.ts'
import { teachRules } from '../../../engine/sources/packs/libraries/teach.ts'
import { loadPacks } from '../../../engine/sources/packs/load.ts'
import { ground } from '../../made/folder.ts'

registerGrammars()

const root = ground()
let rules: CompiledRule[]
beforeAll(async () => {
  rules = (await loadPacks(root)).flatMap(pack => pack.rules).filter(followsInput)
})

const LIMITS = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 }

/** Ids of the rules that follow input and report something in the code, where the repository has a library with these entries. */
async function report(entries: string, code: string, language = 'python'): Promise<string[]> {
  const text = `library: Acme\nlanguages: [${language}]\n${entries}\nmatch: [a]\nclean: [b]\n`
  const taught = entries === '' ? rules : teachRules(rules, [await parseLibrary(Buffer.from(text), 'acme.yaml')])
  const set = new RuleSet(taught)
  const file = { path: 'src/app', language, in_test: false, bytes: new TextEncoder().encode(code) }
  return [...scanFile(set, file, LIMITS).matches].map(({ rule }) => set.rules[rule]!.id).sort()
}

const FLASK = `import os
from flask import Flask, request
app = Flask(__name__)

@app.route("/x")
def view():
    name = request.args.get("name")
    os.system("ls " + name)
`

const DJANGO = `import os
from django.http import HttpRequest

def view(request: HttpRequest):
    os.system("ls " + request.GET["name"])
`

const SERVLET = `import javax.servlet.http.*;
class A extends HttpServlet {
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
    StringBuilder text = new StringBuilder(request.getParameter("a"));
    Runtime.getRuntime().exec("ls " + text);
  }
}
`

describe("an entry of a repository's own library that reports takes no finding away", () => {
  const hiding: [string, string, string, string?][] = [
    [
      'a call as a source of a kind of its own',
      'sources: [{ kind: acme, label: a, calls: [flask.request.args.get] }]',
      FLASK,
    ],
    [
      'a call as a source that is safe',
      'sources: [{ kind: request, label: a, calls: ["/args\\\\.get$/"], safe_for: ["*"] }]',
      FLASK,
    ],
    [
      'a call as an object to ask',
      'sources: [{ kind: acme, label: a, calls: [flask.request.args.get], carrier: true }]',
      FLASK,
    ],
    [
      'a call by its beginning',
      'sources: [{ kind: acme, label: a, calls: [flask.request.args.get], begins: "http://a/" }]',
      FLASK,
    ],
    ['a member', 'sources: [{ kind: acme, label: a, members: [flask.request.args] }]', FLASK],
    ['a member of any object', 'sources: [{ kind: acme, label: a, members: ["*.GET"] }]', DJANGO],
    ['a parameter', 'handlers: [{ kind: acme, label: a, parameters: [{ names: [request] }] }]', DJANGO],
    ['a sink of another kind', 'sinks: [{ kind: html, calls: [flask.request.args.get], arguments: [5] }]', FLASK],
    [
      'a sink of a pattern',
      'sinks: [{ kind: regex, calls: ["/./"] }]',
      FLASK.replace('"ls " + name', 'acme.join(name)'),
    ],
    [
      'an object that is made',
      'sources: [{ kind: acme, label: a, calls: [new StringBuilder, new java.lang.StringBuilder] }]',
      SERVLET,
      'java',
    ],
  ]
  it.each(hiding)('%s', async (_, entries, code, language) => {
    const before = await report('', code, language)
    expect(before.filter(id => id.endsWith('command-injection'))).toHaveLength(1)
    expect(await report(entries, code, language)).toEqual(expect.arrayContaining(before))
  })
})

describe("a source of a repository's own library", () => {
  const run = (value: string) => `import os, acme\n\ndef run(acme_request, other):\n    os.system("ls " + ${value})\n`
  const taught: [string, string, string][] = [
    ['is a call', 'sources: [{ kind: request, label: a, calls: [acme.read] }]', run('acme.read()')],
    ['is a member', 'sources: [{ kind: request, label: a, members: [acme.args] }]', run('acme.args')],
    [
      'is a name that is imported',
      'sources: [{ kind: request, label: a, members: [acme.args] }]',
      run('args').replace('import os, acme', 'import os\nfrom acme import args'),
    ],
    [
      'is a parameter',
      'handlers: [{ kind: request, label: a, parameters: [{ names: [acme_request] }] }]',
      run('acme_request'),
    ],
    [
      'is a member of a type',
      'sources: [{ kind: request, label: a, members: [acme.Request.args] }]\nresult_types: { acme.current: acme.Request }',
      run('acme.current().args'),
    ],
    ['is an object that is made', 'sources: [{ kind: request, label: a, calls: [acme.Input] }]', run('acme.Input()')],
  ]
  it.each(taught)('%s', async (_, entries, code) => {
    expect(await report('', code)).toEqual([])
    expect(await report(entries, code)).toEqual(['python-command-injection'])
  })
})
