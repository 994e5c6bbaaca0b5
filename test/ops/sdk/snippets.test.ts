import { describe, expect, test } from 'vitest'
import snippet from '../../../engine/ops/scan/snippet.ts'
import check from '../../../engine/ops/sdk/check.ts'
import inline from '../../../engine/ops/sdk/inline.ts'
import { context, view } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'

const here = () => context(folder({ '.git/HEAD': '', 'a.js': 'eval(req.query.x)\neval(input)\n' }))
const asked = { file: 'a.js', stdin: false }

/** The code of an example of the command's help. */
const example = /--code '([^']*)' --file a\.js/.exec(inline.examples!.map(([command]) => command).join('\n'))![1]!

test("check-inline finds what its help's example shows", async () => {
  const output = await inline.run({ ...asked, code: example }, here())
  expect([output.findings!.map(({ rule_id }) => rule_id), inline.exit!(output)]).toEqual([['code-injection'], 1])
})

test('check-inline takes code of standard input for a snippet', async () => {
  const output = await inline.run({ ...asked, stdin: true }, { ...here(), readStdin: async () => example })
  expect(output.findings).toHaveLength(1)
})

test('check-inline takes a file on disk as it is', async () => {
  const output = await inline.run(asked, here())
  expect([output.findings, output.unknown_origins, inline.exit!(output)]).toEqual([[], [], 0])
})

test('check-inline ends with 1 for a value of unknown origin, and names it', async () => {
  const output = await inline.run({ ...asked, code: 'eval(input)' }, here())
  expect(inline.exit!(output)).toBe(1)
  expect(inline.text!(output, view)).toMatch(/^Unknown: line 1:1: The origin of `input` is unknown/m)
})

test.each([
  ['check_code_snippet', snippet],
  ['POST /api/sdk/check', check],
])('%s takes code for a snippet, and is compliant with no unknown origin alone', async (_name, operation) => {
  const run = (code: string) => operation.run({ code, filename: 'a.js' }, here())
  const [found, unknown, clean] = [await run('eval(req.query.x)'), await run('eval(input)'), await run('eval("1")')]
  expect([found.findings.length, found.compliant]).toEqual([1, false])
  expect([unknown.unknown_origins.map(({ name }) => name), unknown.compliant]).toEqual([['input'], false])
  expect([clean.unknown_origins, clean.compliant]).toEqual([[], true])
  expect(operation.text!(unknown as never, view)).toContain('The origin of `input` is unknown')
})

describe('code that counts as minified, of which only severe patterns are searched', () => {
  const INJECTION = 'app.get("/",(req,res)=>{require("child_process").exec("ls "+req.query.x)});'
  const padded = `${INJECTION}${'a[0]=b(c);'.repeat(500)}\n`
  const isPartly = [expect.objectContaining({ state: 'partly', reason: 'minified' })]

  test.each([
    ['check_code_snippet', snippet],
    ['POST /api/sdk/check', check],
  ])('is not compliant for %s, which names it', async (_name, operation) => {
    const output = await operation.run({ code: padded, filename: 'a.js' }, here())
    expect(output.findings).toEqual([])
    expect([output.compliant, output.unsearched]).toEqual([false, isPartly])
    expect(operation.text!(output as never, view)).toMatch(/^Partly scanned: a\.js \(minified/m)
  })

  test.each([
    ['on disk', { file: 'padded.js', stdin: false }],
    ['as text', { file: 'a.js', stdin: false, code: padded }],
  ])('has no confidence for check-inline, which ends with 1: %s', async (_name, input) => {
    const root = folder({ '.git/HEAD': '', 'padded.js': padded })
    const output = await inline.run(input, context(root))
    expect([output.findings, output.compliant, output.confidence]).toEqual([[], false, 0])
    expect([output.unsearched, inline.exit!(output)]).toEqual([isPartly, 1])
    expect(inline.text!(output, view)).toMatch(/^Partly scanned: /m)
  })
})

test.each([
  ['a minified style sheet', 'site.css', '.a{color:red}'.repeat(500)],
  ['a minified file of what was built', 'dist/a.min.js', 'a[0]=b(c);'.repeat(500)],
  [
    'a pointer to what is in git LFS',
    'model.bin',
    `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`,
  ],
])('%s is searched only in part and leaves nothing unknown, as for the gate', async (_, filename, code) => {
  const output = await check.run({ code, filename }, here())
  expect(output.unsearched).toMatchObject([{ state: 'partly' }])
  expect(output.compliant).toBe(true)
})
