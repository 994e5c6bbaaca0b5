import { describe, expect, it } from 'vitest'
import contributor from '../../../engine/review/contributor.ts'
import { perform } from '../../../engine/scan/perform.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { discover } from '../../../engine/sources/repository/discover.ts'
import { context, surface } from '../../made/call.ts'
import { project } from '../../made/project.ts'
import { type Behavior, type Got, modelServer } from '../llm/model-server.ts'

const RULE = `id: money-as-float
type: llm
title: Money kept as a floating-point number
message: Sums of money lose cents.
severity: high
languages: [javascript]
question: Does this file compute amounts of money with floating-point numbers?
remediation: Count cents.
match: ['const total = price * 1.19']
clean: ['const cents = 119n']
`
const CODE = 'export function sum(price) {\n  return price * 1.19\n}\n'
const yes = (more: object = {}) => ({
  ...{ answer: 'yes', confidence: 1 },
  evidence: [{ line: 2, quote: 'return price * 1.19', reason: 'a float', ...more }],
})

async function asked(
  behave: ((got: Got) => Behavior) | undefined,
  more: Record<string, string> = {},
  scope = 'everything',
) {
  const server = behave && (await modelServer(behave))
  const yaml = server
    ? `llm:\n  provider: openai-compatible\n  model: local\n  base_url: ${server.base_url}\n  timeout_seconds: 1\n`
    : '{}\n'
  const root = project({ 'a.js': CODE, '.svc/rules/money-as-float.yaml': RULE, '.svc/config.yaml': yaml, ...more })
  const own = context(root)
  const config = await loadConfig(root, { env: own.env })
  expect(contributor.applies(config, own.env)).toBe(true)
  const listing = await discover(root, { exclude: [], signal: own.signal })
  const selectFiles = () => listing.files
  const searched = () => Promise.reject(new Error('not asked for'))
  const request = { config, listing, selectFiles, scope, dry_run: false, searched }
  return { ...(await contributor.run(request, own)), got: server?.got ?? [] }
}
const say = (value: unknown) => ({ say: typeof value === 'string' ? value : JSON.stringify(value) })

describe('a rule of type llm', () => {
  it('finds the lines that the model quotes and that exist, less sure than any other rule', async () => {
    const { findings, notEvaluated, got } = await asked(() => say(yes()))
    expect(findings).toMatchObject([
      {
        rule_id: 'money-as-float',
        file: 'a.js',
        line: 2,
        column: 3,
        severity: 'high',
        confidence: 0.7,
        deterministic: false,
      },
    ])
    expect(notEvaluated).toEqual([])
    expect(got.map(({ prompt }) => prompt.includes('Does this file compute amounts'))).toEqual([true])
  })

  it('is less sure where the quotation stands at another line, and as unsure as the model', async () => {
    expect((await asked(() => say(yes({ line: 77 })))).findings).toMatchObject([{ line: 2, confidence: 0.5 }])
    expect((await asked(() => say({ ...yes(), confidence: 0.2 }))).findings).toMatchObject([{ confidence: 0.2 }])
  })

  it('is not evaluated, once, without a provider', async () => {
    const { findings, notEvaluated } = await asked(undefined, { 'b.js': CODE, 'c.js': CODE })
    expect(findings).toEqual([])
    expect(notEvaluated).toMatchObject([{ rule_id: 'money-as-float', reason: 'no_provider' }])
    expect(notEvaluated[0]).not.toHaveProperty('file')
  })

  it('sends nothing for what is staged', async () => {
    const { notEvaluated, got } = await asked(() => say(yes()), {}, 'staged')
    expect(got).toEqual([])
    expect(notEvaluated).toMatchObject([{ rule_id: 'money-as-float' }])
  })

  it.each<[string, Behavior]>([
    ['a line that does not exist', say(yes({ quote: 'eval(everything)' }))],
    ['no line', say({ ...yes(), evidence: [] })],
    ['unknown', say({ ...yes(), answer: 'unknown' })],
    ['another schema', say({ answer: 'perhaps' })],
    ['no JSON', say('{{{')],
    ['nothing', say('')],
    ['a refusal', { refuse: true }],
    ['an error', { status: 400 }],
    ['a page', { html: true }],
    ['a cut stream', { cut: true }],
    ['an answer that is too late', { slow: 3000, say: JSON.stringify(yes()) }],
  ])('is not evaluated and never passed after %s', async (_, behavior) => {
    const { findings, notEvaluated } = await asked(() => behavior)
    expect(findings).toEqual([])
    expect(notEvaluated).toMatchObject([{ rule_id: 'money-as-float', file: 'a.js' }])
  })

  it('asks about the files of its languages alone, and without no more than it says', async () => {
    const { got, findings } = await asked(() => say({ answer: 'no', evidence: [], confidence: 1 }), {
      'a.py': 'x = 1\n',
    })
    expect(got).toHaveLength(1)
    expect(findings).toEqual([])
  })
})

describe('a scan with a rule of type llm', () => {
  const scanned = async (config: string) => {
    const root = project({
      'a.js': CODE,
      'b.js': CODE,
      '.svc/rules/money-as-float.yaml': RULE,
      '.svc/config.yaml': config,
    })
    const own = surface(root).context
    const { run, findings } = await perform({ repo_path: '.' }, own)
    const isOwn = ({ rule_id }: { rule_id: string }) => rule_id === 'money-as-float'
    return { gaps: run.not_evaluated.filter(isOwn), found: findings.filter(isOwn) }
  }

  it('has it once as not evaluated without a provider', async () => {
    const { gaps, found } = await scanned('{}\n')
    expect(gaps).toMatchObject([{ reason: 'no_provider' }])
    expect(found).toEqual([])
  })

  it('has its findings beside all others with one', async () => {
    const { base_url } = await modelServer(() => say(yes()))
    const { gaps, found } = await scanned(
      `llm:\n  provider: openai-compatible\n  model: local\n  base_url: ${base_url}\n`,
    )
    expect(gaps).toEqual([])
    expect(found.map(({ file, line, status }) => [file, line, status])).toEqual([
      ['a.js', 2, 'open'],
      ['b.js', 2, 'open'],
    ])
  })
})
