import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EngineError } from '../../../engine/base/errors.ts'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { listOwnLibraries } from '../../../engine/sources/packs/libraries/known.ts'
import { proveOwnLibraries, readOwnLibraries } from '../../../engine/sources/packs/libraries/own.ts'
import { ProofBudget } from '../../../engine/sources/packs/libraries/proof-budget.ts'
import { parseLibrary } from '../../../engine/sources/packs/libraries/read.ts'
import { describeLibraries } from '../../../engine/sources/packs/libraries/silencing.ts'
import { loadBuiltinPacks, loadPacks } from '../../../engine/sources/packs/load.ts'
import { textOf } from '../../root.ts'

registerGrammars()

const LAUNCH =
  'from acme import request\nfrom acme.shell import launch\n\ndef run():\n    launch("ls " + request.args)\n'
const QUOTED = LAUNCH.replace('request.args', 'quote(request.args)').replace('launch\n', 'launch, quote\n')

interface Parts {
  more?: string
  match?: string
  clean?: string
}

function makeLibrary({ more = '', match = LAUNCH, clean = QUOTED }: Parts = {}): string {
  const indent = (code: string) => code.replace(/^(?=.)/gm, '    ')
  return `library: Acme
languages: [python]
sources: [{ kind: request, label: Acme argument, members: [acme.request.args] }]
sinks: [{ kind: shell, calls: [acme.shell.launch], arguments: [0] }]
sanitizers: [{ calls: [acme.shell.quote], for: [shell] }]
${more}match:
  - |
${indent(match)}clean:
  - |
${indent(clean)}`
}

/** A repository with these library files. */
function repository(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'svc-libraries-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

/** What the fault of a repository's libraries says. */
async function faultOf(root: string): Promise<string> {
  try {
    await loadPacks(root)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return error.faults.map(({ message, place }) => `${place?.file}: ${message}`).join('\n')
  }
  throw new Error('the libraries loaded')
}

/** Ids of taint rules that report something in the code. */
async function report(root: string, code: string): Promise<string[]> {
  const rules = (await loadPacks(root)).flatMap(pack => pack.rules).filter(({ type }) => type === 'taint')
  const set = new RuleSet(rules)
  const file = { path: 'src/a.py', language: 'python', in_test: false, bytes: new TextEncoder().encode(code) }
  const limits = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 20 }
  return [...scanFile(set, file, limits).matches].map(({ rule }) => set.rules[rule]!.id)
}

describe("a repository's own library", () => {
  const root = repository({ '.svc/libraries/acme.yaml': makeLibrary() })

  it('adds a source and a sink to the rule of the weakness', async () => {
    expect(await report(root, LAUNCH)).toEqual(['python-command-injection'])
    expect(await report(repository({}), LAUNCH)).toEqual([])
  })

  it('is found by every spelling of its import', async () => {
    for (const [head, call] of [
      ['import acme, acme.shell', 'acme.shell.launch("ls " + acme.request.args)'],
      ['import acme.shell as s\nfrom acme import request as r', 's.launch("ls " + r.args)'],
      ['from acme.shell import launch as go\nfrom acme import request', 'go("ls " + request.args)'],
    ])
      expect(await report(root, `${head}\n\ndef run():\n    ${call}\n`), head).toEqual(['python-command-injection'])
  })

  it('works with the sources and sinks that svc knows', async () => {
    const flask =
      'from flask import request\nfrom acme.shell import launch\n\ndef run():\n    launch(request.args["a"])\n'
    const system = 'import os\nfrom acme import request\n\ndef run():\n    os.system("ls " + request.args)\n'
    expect(await report(root, flask)).toEqual(['python-command-injection'])
    expect(await report(root, system)).toEqual(['python-command-injection'])
  })

  it('sanitizes for the kinds of sink that it names alone', async () => {
    const code = 'from acme import request\nfrom acme.shell import quote\n\ndef run():\n    eval(quote(request.args))\n'
    expect(await report(root, code)).toEqual(['python-code-injection'])
    expect(await report(root, QUOTED)).toEqual([])
  })

  it('gives named constants their values', async () => {
    const hash = 'import hashlib\nfrom acme import NAME\n\n# md5\ndef run(data):\n    return hashlib.new(NAME, data)\n'
    const named = (value: string) =>
      repository({ '.svc/libraries/acme.yaml': makeLibrary({ more: `constants: { acme.NAME: ${value} }\n` }) })
    expect(await report(named('md5'), hash)).toEqual(['python-weak-hash-indirect'])
    expect(await report(named('sha256'), hash)).toEqual([])
  })

  it('may come in a pack', async () => {
    const pack = 'id: acme\nversion: 1.0.0\nname: Acme\ndescription: Rules of Acme.\nlanguages: [any]\n'
    const own = repository({
      '.svc/packs/acme/pack.yaml': pack,
      '.svc/packs/acme/libraries/acme.yaml': makeLibrary(),
    })
    expect(await report(own, LAUNCH)).toEqual(['python-command-injection'])
  })

  it('changes the digest by which a rule is cached', async () => {
    const find = async (from: string) =>
      (await loadPacks(from)).flatMap(pack => pack.rules).find(({ id }) => id === 'python-command-injection')!
    expect((await find(repository({}))).digest).toBeDefined()
    expect((await find(root)).digest).toBeUndefined()
  })

  it('is named with what it can silence', async () => {
    expect(describeLibraries(listOwnLibraries(await loadPacks(root)))).toMatch(/^1 library .*sanitizers 1$/)
    expect(describeLibraries([])).toBe('')
  })
})

describe('a library does not load', () => {
  const faults: [string, Parts, RegExp][] = [
    ['whose match is not reported', { match: 'print(1)\n' }, /match example fails/],
    ['whose clean is reported', { clean: LAUNCH }, /clean example fails \(python-command-injection/],
    ['with an unknown key', { more: 'sink: []\n' }, /sink/],
    ['that describes the language', { more: 'language: { simple_types: true }\n' }, /that come with svc/],
    [
      'with an expression that is none',
      { more: 'handlers: [{ kind: request, label: a, parameters: [{ decorators: "(" }] }]\n' },
      /not a regular expression/,
    ],
  ]
  it.each(faults)('%s', async (_, parts, fault) => {
    const said = await faultOf(repository({ '.svc/libraries/acme.yaml': makeLibrary(parts) }))
    expect(said).toMatch(/^\.svc\/libraries\/acme\.yaml: /)
    expect(said).toMatch(fault)
  })

  it.each([
    ['sources', 'handlers: [{ kind: request, label: a, parameters: [{ function: "(a+)+$" }] }]'],
    ['calls', 'no_return: ["/(a|a)*$/"]'],
    ['keys', 'result_types: { "/(a|a)*$/": Acme }'],
    ['settings', 'settings: [{ calls: ["/a*a*a*$/"], setting: a, argument: 0 }]'],
  ])('whose expressions can be tried in too many ways (%s)', async (_, more) => {
    const said = await faultOf(repository({ '.svc/libraries/acme.yaml': makeLibrary({ more: `${more}\n` }) }))
    expect(said).toMatch(/not a regular expression that svc runs: it can be tried in too many ways/)
  })

  it('whose sink has a kind that no rule reports', async () => {
    const text = makeLibrary().replace('kind: shell', 'kind: rocket')
    expect(await faultOf(repository({ '.svc/libraries/acme.yaml': text }))).toMatch(
      /no rule of python reports .* rocket; known: .*shell/,
    )
  })

  it('whose examples show nothing of it', async () => {
    const flask = 'import os\nfrom flask import request\n\ndef run():\n    os.system(request.args["a"])\n'
    const said = await faultOf(
      repository({ '.svc/libraries/acme.yaml': makeLibrary({ match: flask, clean: 'print(1)\n' }) }),
    )
    expect(said).toMatch(/same results without the library/)
  })

  it('that is reached through a link out of the repository', async () => {
    const outside = repository({ 'acme.yaml': makeLibrary() })
    const root = repository({ '.svc/libraries/readme.txt': '' })
    symlinkSync(join(outside, 'acme.yaml'), join(root, '.svc/libraries/acme.yaml'))
    expect(await faultOf(root).catch(error => String(error))).toMatch(/outside the repository/)
  })

  it('whose examples are more than are run', async () => {
    const more = Array.from({ length: 100 }, (_, at) => `  - "print(${at})"\n`).join('')
    const said = await faultOf(repository({ '.svc/libraries/acme.yaml': makeLibrary() + more }))
    expect(said).toMatch(/it has 102 examples, and at most 100 are run/)
    const long = `${LAUNCH}# ${'a'.repeat(70_000)}\n`
    const other = await faultOf(repository({ '.svc/libraries/acme.yaml': makeLibrary({ match: long }) }))
    expect(other).toMatch(/its examples have 7\d,\d+ characters, and at most 65,536/)
  })

  describe('whose examples take too long', () => {
    const long = Array.from({ length: 1_000 }, (_, at) => `    print(${at}, request.args)\n`).join('')
    const slow = makeLibrary({ match: LAUNCH + long })
    const prove = async (texts: Record<string, string>, limits: object) => {
      const root = repository(
        Object.fromEntries(Object.entries(texts).map(([name, text]) => [`.svc/libraries/${name}.yaml`, text])),
      )
      const faults = proveOwnLibraries(await readOwnLibraries(root), loadBuiltinPacks(), new ProofBudget(limits))
      return faults.map(({ message, place }) => `${place!.file}: ${message}`)
    }

    it('one of which is broken off, and those behind it are not run', async () => {
      const other = makeLibrary().replace('library: Acme', 'library: Other')
      expect(await prove({ a: slow, b: other }, { step_ms: 1 })).toEqual([
        expect.stringMatching(/a\.yaml: an example was not evaluated in its time/),
        expect.stringMatching(/b\.yaml: its examples were not run, since one of Acme took too long/),
      ])
    })

    it('all together, by their number and their time', async () => {
      expect((await prove({ a: makeLibrary() }, { runs: 3 })).join()).toMatch(/not all run: .* more than 3 runs/)
      expect((await prove({ a: makeLibrary() }, { total_ms: 0 })).join()).toMatch(/not all run: .* longer than 0 s/)
      expect(await prove({ a: makeLibrary() }, { runs: 4 })).toEqual([])
    })
  })

  it('in a language without taint analysis', async () => {
    await expect(parseLibrary(Buffer.from(makeLibrary().replace('[python]', '[bash]')), 'a.yaml')).rejects.toThrow(
      EngineError,
    )
  })
})

it('that comes with svc does not load with sinks, which no rule has, and one of a repository does', async () => {
  const text = Buffer.from(makeLibrary())
  const faults = await parseLibrary(text, 'a.yaml', true).then(
    () => [],
    (error: EngineError) => error.faults.map(({ message, place }) => `${place!.line}: ${message}`),
  )
  expect(faults).toEqual([expect.stringMatching(/^4: no rule has the sinks of libraries that come with svc/)])
  expect((await parseLibrary(text, 'a.yaml')).sinks).toHaveLength(1)
})

describe('the pages about teaching a framework', () => {
  const pages = [
    'teaching-a-framework',
    'framework-examples',
    'framework-examples-native',
    'framework-examples-dart',
    'framework-examples-elixir',
  ]
    .map(page => textOf(`docs/${page}.md`))
    .join('\n')
  const files = [...pages.matchAll(/<!-- file: (\.svc\/\S+) -->\n```yaml\n(.*?)```/gs)]

  it('have an example for each language with a taint analysis, and all hold', async () => {
    const root = repository(Object.fromEntries(files.map(([, path, text]) => [path!, text!])))
    const languages = new Set(listOwnLibraries(await loadPacks(root)).flatMap(library => library.languages))
    expect([...languages].sort()).toEqual(
      [
        'c',
        'cpp',
        'csharp',
        'dart',
        'elixir',
        'go',
        'java',
        'javascript',
        'kotlin',
        'lua',
        'scala',
        'php',
        'python',
        'ruby',
        'rust',
        'swift',
        'tsx',
        'typescript',
      ].sort(),
    )
  })
})
