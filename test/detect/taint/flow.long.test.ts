import { expect, test } from 'vitest'
import { toSarifResult } from '../../../engine/assure/reports/sarif/results.ts'
import { Taxonomies } from '../../../engine/assure/reports/sarif/taxonomies.ts'
import { formatFindings } from '../../../engine/scan/findings-text.ts'
import { Merge } from '../../../engine/scan/merge.ts'
import { decodeRecords, encodeRecords } from '../../../engine/scan/records.ts'
import { follow, sinkRule } from './follow.ts'

const CODE = `from flask import request
def own(x):
    return "a" + x
@app.route("/x")
def view():
    name = request.args["n"]
    sink(own(name))
`

function finding() {
  const { matches } = follow(CODE, sinkRule('python'))
  const file = { path: 'a.py', size: 1, in_test: false }
  const outcome = {
    pass: { lines: 7, longest_line: 30 },
    matches,
    failures: [],
    ignores: [],
    parsed: true,
  }
  const reports = [{ file, language: 'python', bytes: 1, outcome, verified: true }]
  const rule = { ...sinkRule('python'), pack_id: 'own', requirement: [] }
  const merge = new Merge([rule], new Map(), () => true)
  // As from a worker: through the form that crosses the thread.
  return merge.add(decodeRecords([file] as never, encodeRecords(reports as never)))[0]!
}

test('a finding has a data-flow path from the source over each step to the sink', () => {
  const steps = finding().flow!.map(({ file, line, label }) => `${file}:${line} ${label}`)
  expect(steps[0]).toBe('a.py:6 HTTP request parameter')
  expect(steps).toContain('a.py:6 assigned to name')
  expect(steps).toContain('a.py:7 passed as parameter x')
  expect(steps.at(-1)).toBe('a.py:7 reaches the sink sink')
})

test('the data-flow path is a code flow in SARIF, with a location and a message each step', () => {
  const own = finding()
  const result = toSarifResult(
    own,
    0,
    new Taxonomies({ rules: new Map(), findings: [own], frameworks: new Map() } as never),
    false,
  ) as {
    codeFlows: {
      threadFlows: { locations: { location: { physicalLocation: { region: object }; message: object } }[] }[]
    }[]
  }
  const { locations } = result.codeFlows[0]!.threadFlows[0]!
  expect(locations).toHaveLength(own.flow!.length)
  expect(locations[0]!.location).toMatchObject({
    physicalLocation: { region: { startLine: 6, startColumn: 12, endLine: 6, endColumn: 24 } },
    message: { text: 'HTTP request parameter' },
  })
})

test('the way is told in text, a line each step', () => {
  expect(formatFindings([finding()])).toContain('\n  line 6: HTTP request parameter\n')
})

test('a finding is less sure where the input went through code that cannot be seen', () => {
  expect(finding().confidence).toBe(0.95)
  const guessed = follow(CODE.replace('own(name)', 'other.work(name)'), sinkRule('python')).matches[0]!
  expect(guessed.confidence).toBe(0.8)
})

test('a rule on the syntax says nothing where a taint rule of the same CWE found the same code', () => {
  const traced = { ...sinkRule('python'), pack_id: 'own', requirement: [] }
  const syntax = { ...traced, id: 'b-rule', type: 'ast' as const, rule: { pattern: 'sink($A)' } }
  const { matches } = follow(CODE, sinkRule('python'))
  const { flow: _, ...plain } = matches[0]!
  const outcome = {
    pass: { lines: 7, longest_line: 30 },
    matches: [matches[0]!, { ...plain, rule: 1 }, { ...plain, rule: 1, line: 3, end_line: 3 }],
    failures: [],
    ignores: [],
    parsed: true,
  }
  const file = { path: 'a.py', size: 1, in_test: false }
  const merge = new Merge([traced, syntax as never], new Map(), () => true)
  const found = merge.add([{ file, language: 'python', bytes: 1, outcome, verified: true }] as never)
  expect(found.map(({ rule_id, line }) => `${rule_id}:${line}`)).toEqual(['a-rule:7', 'b-rule:3'])
})

test('a function that takes too many steps is not evaluated, and said so', () => {
  const many = Array.from({ length: 24_000 }, (_, at) => `    a${at} = f(a${at - 1}, "x" + y)`).join('\n')
  const { failures } = follow(
    `${CODE}@app.route("/y")\ndef long():\n${many}\n    sink(request.args["x"])\n`,
    sinkRule('python'),
  )
  expect(failures).toEqual([
    expect.objectContaining({ reason: 'too_costly', detail: 'more steps than one function or file is given: long' }),
  ])
})

/** Functions that call each other so often that they take too many steps together, and few each. */
const TANGLED = Array.from({ length: 9 }, (_, at) => {
  const next = `    x = f${at + 1}(x) + f${at + 1}(x + "a") + f${at + 1}(x + "b") + f${at + 1}(x + "c") + f${at + 1}([x])\n`
  return `def f${at}(x):\n${next.repeat(3)}    return x\n`
}).join('')

test('a function that takes too many steps with what it calls is analyzed by itself, and a notice says so', () => {
  const view = (body: string) => `@app.route("/y")\ndef tangled():\n${body}`
  const { matches, failures } = follow(
    `${CODE}${TANGLED}def f9(x):\n    return x\n${view('    y = f0([request.args["x"]])\n    sink(request.args["z"])\n')}`,
    sinkRule('python'),
  )
  expect(failures).toEqual([
    {
      rule: 0,
      reason: 'calls_not_followed',
      detail: 'taint analysis did not enter the functions called in tangled: step limit reached',
    },
  ])
  expect(matches.length).toBeGreaterThan(0)
})

test('a function whose loops take too many steps is gone through once, and what reaches a sink is found', () => {
  const depth = 6
  const loops = Array.from({ length: depth }, (_, at) => `${'    '.repeat(at + 1)}while q(x${at}):\n`).join('')
  const inner = '    '.repeat(depth + 1)
  // What comes in moves on by one variable a round, so that the loops settle late.
  const moves = Array.from({ length: 40 }, (_, at) => `${inner}x${40 - at} = x${39 - at}\n`).join('')
  const { matches, failures } = follow(
    `${CODE}@app.route("/y")\ndef looped():\n    x0 = request.args["a"]\n${loops}${moves}${`${inner}g(y, "x" + y)\n`.repeat(3000)}${inner}sink(request.args["z"])\n`,
    sinkRule('python'),
  )
  expect(failures).toMatchObject([{ reason: 'calls_not_followed' }])
  expect(matches.length).toBeGreaterThan(0)
})

test('a rule without sources finds a fixed argument wherever it comes from', () => {
  const rule = sinkRule('python', {
    sources: [],
    sinks: [{ calls: ['hashlib.new'], when: [{ argument: 0, matches: '(?i)^md5$' }] }],
  })
  const code = (name: string) =>
    `import hashlib\nNAME = "MD"\ndef f(x):\n    a = NAME + ${name}\n    return hashlib.new(a, x)\n`
  expect(follow(code('"5"'), rule).matches).toHaveLength(1)
  expect(follow(code('"4"'), rule).matches).toHaveLength(0)
  expect(follow(code('x'), rule).matches).toHaveLength(0)
})

test('a cleaner cleans for its own class of sink only', () => {
  const code =
    'import html\nfrom flask import request\n@app.route("/x")\ndef view():\n    sink(html.escape(request.args["x"]))\n'
  expect(follow(code, sinkRule('python', { class: 'html' })).matches).toHaveLength(0)
  expect(follow(code, sinkRule('python', { class: 'sql' })).matches).toHaveLength(1)
})
