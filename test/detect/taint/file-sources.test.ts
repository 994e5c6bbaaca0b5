import { afterAll, beforeAll, expect, test } from 'vitest'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { installModels } from '../../../engine/detect/taint/models.ts'
import { followsInput } from '../../../engine/detect/taint/runs.ts'
import { addAsked } from '../../../engine/scan/asked-rules.ts'
import { compileModels } from '../../../engine/sources/packs/libraries/compile.ts'
import { readLibraries } from '../../../engine/sources/packs/libraries/read.ts'
import { loadBuiltinPacks } from '../../../engine/sources/packs/load.ts'
import { ROOT } from '../../root.ts'

registerGrammars()

/** The rules as a scan runs them by default, and with `analysis.sources: [files]`. */
const sets: Record<string, RuleSet> = {}
beforeAll(async () => {
  installModels(compileModels((await readLibraries(`${ROOT}/packs/libraries`)).map(({ library }) => library)))
  const rules = loadBuiltinPacks()
    .flatMap(pack => pack.rules)
    .filter(followsInput)
  for (const sources of [[], ['files']] as const)
    sets[String(sources)] = new RuleSet(addAsked(rules, { sources, review: false }))
})

afterAll(() => installModels(undefined))

/** Confidences of findings of these CWEs in the file. */
function find(sources: string, language: string, code: string): number[] {
  const set = sets[sources]!
  const file = { path: 'src/file', language, in_test: false, bytes: new TextEncoder().encode(code) }
  const scan = scanFile(set, file, { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 })
  const wanted = ['CWE-78', 'CWE-89', 'CWE-94', 'CWE-95']
  return scan.matches
    .filter(({ rule }) => set.rules[rule]!.cwe.some(cwe => wanted.includes(cwe)))
    .map(m => m.confidence)
}

const PYTHON = (body: string) => `import os, pathlib\ndef work(name):\n    ${body.replaceAll('\n', '\n    ')}\n`
const NODE = (body: string) =>
  `const fs = require("fs")\nconst { exec } = require(${JSON.stringify(['child', 'process'].join('_'))})\nfunction work(name) {\n${body}\n}\n`
const JAVA = (body: string) =>
  `import java.io.*;\nimport java.nio.file.*;\nclass A {\n  void work(Path name) throws Exception {\n${body}\n  }\n}\n`
const KOTLIN = (body: string) => `import java.io.File\nfun work(name: String) {\n${body}\n}\n`
const GO = (body: string) =>
  `package a\nimport ("io"; "os"; "os/exec"; "strconv")\nfunc work(name string) {\n${body}\n}\n`
const CSHARP = (body: string) =>
  `using System.IO; using System.Diagnostics;\nclass A {\n  void Work(string name) {\n${body}\n  }\n}\n`
const PHP = (body: string) => `<?php\nfunction work($name) {\n${body}\n}\n`
const RUBY = (body: string) => `class A\n  def work(name)\n    ${body}\n  end\nend\n`

const CASES: [language: string, file: (body: string) => string, bad: string[], good: string[]][] = [
  [
    'python',
    PYTHON,
    [
      'os.system(open(name).read())',
      'with open(name) as file:\n    for line in file:\n        os.system("ls " + line)',
      'os.system(pathlib.Path(name).read_text())',
    ],
    ['os.system("ls %d" % int(open(name).read()))', 'open(name).read()\nos.system("ls")'],
  ],
  [
    'javascript',
    NODE,
    [
      'exec(fs.readFileSync(name, "utf8"))',
      'fs.readFile(name, "utf8", (error, text) => { exec("ls " + text) })',
      'fs.promises.readFile(name).then(text => exec("ls " + text))',
    ],
    [
      'exec("ls " + Number(fs.readFileSync(name, "utf8")))',
      'fs.readFile(name, "utf8", (error, text) => { exec("ls") })',
    ],
  ],
  [
    'java',
    JAVA,
    [
      'Runtime.getRuntime().exec("sh -c " + Files.readString(name));',
      'BufferedReader r = new BufferedReader(new FileReader("a"));\nRuntime.getRuntime().exec("sh -c " + r.readLine());',
    ],
    ['Runtime.getRuntime().exec("sh -c " + Integer.parseInt(Files.readString(name)));'],
  ],
  [
    'kotlin',
    KOTLIN,
    [
      'Runtime.getRuntime().exec("sh -c " + File(name).readText())',
      'File(name).forEachLine { Runtime.getRuntime().exec("sh -c " + it) }',
    ],
    ['Runtime.getRuntime().exec("sh -c " + File(name).readText().toInt())'],
  ],
  [
    'go',
    GO,
    [
      'data, _ := os.ReadFile(name)\nexec.Command("sh", "-c", string(data)).Run()',
      'f, _ := os.Open(name)\ndata, _ := io.ReadAll(f)\nexec.Command("sh", "-c", string(data)).Run()',
    ],
    [
      'data, _ := os.ReadFile(name)\nn, _ := strconv.Atoi(string(data))\nexec.Command("sh", "-c", strconv.Itoa(n)).Run()',
    ],
  ],
  [
    'csharp',
    CSHARP,
    [
      'Process.Start("sh", "-c " + File.ReadAllText(name));',
      'foreach (var line in File.ReadLines(name)) { Process.Start("sh", "-c " + line); }',
    ],
    ['Process.Start("sh", "-c " + int.Parse(File.ReadAllText(name)));'],
  ],
  [
    'php',
    PHP,
    ['system(file_get_contents($name));', '$f = fopen($name, "r");\nsystem(fgets($f));'],
    ['system("ls " . intval(file_get_contents($name)));'],
  ],
  [
    'ruby',
    RUBY,
    ['system(File.read(name))', 'File.foreach(name) { |line| system("ls #{line}") }'],
    ['system("ls #{File.read(name).to_i}")'],
  ],
]

test.each(CASES)('what is read from files in %s is input on demand alone, less sure than a request', (...each) => {
  const [language, file, bad, good] = each
  for (const body of bad)
    expect([body, find('files', language, file(body)), find('', language, file(body))]).toEqual([body, [0.5], []])
  for (const body of good) expect([body, find('files', language, file(body))]).toEqual([body, []])
})

test('a request at the same place stays as sure as it is', () => {
  const code = `import os\nfrom flask import Flask, request\napp = Flask(__name__)\n@app.route("/")\ndef show():\n    os.system(open("a").read() + request.args["b"])\n`
  expect(find('files', 'python', code)).toEqual([0.95])
})
