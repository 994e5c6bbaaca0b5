import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sample } from '../../../engine/detect/secrets/sample.ts'
import aiKey from '../../../engine/ops/review/ai-key.ts'
import design from '../../../engine/ops/review/design.ts'
import threats from '../../../engine/ops/review/threats.ts'
import { judgeDrift } from '../../../engine/review/llm/drift.ts'
import { getSessionKey, setSessionKey } from '../../../engine/review/llm/keys.ts'
import { openSession } from '../../../engine/review/llm/session.ts'
import { resolveSettings } from '../../../engine/review/llm/settings.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { context, refusal, view } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { project, repository } from '../../made/project.ts'
import { modelServer } from './model-server.ts'

const CODE =
  "const app = require('express')()\napp.get('/a', async (req, res) => {\n  cache.set(req.query.id, await load(req.query.id))\n})\n"
const none = { staged: false, pending: false, dry_run: false }
const TOKEN = sample('ghp_{base62:30}{crc32}', 'session')

const configured = (base_url: string, more = '') =>
  `llm:\n  provider: openai-compatible\n  model: local\n  base_url: ${base_url}\n${more}`
const decision = (more: object = {}) => ({
  ...{
    category: 'state-management',
    file: 'a.js',
    line: 3,
    quote: 'cache.set(req.query.id, await load(req.query.id))',
  },
  ...{
    summary: 'Results are cached without a limit',
    alternatives: ['An LRU cache'],
    risk: 'Memory grows',
    risk_level: 'medium',
  },
  ...{ question: 'What limits the cache?', confidence: 0.99, ...more },
})

describe('review-design with a model', () => {
  it('adds decisions at verified lines, keeps their acknowledgments, and asks once for the same content', async () => {
    const say = JSON.stringify({ decisions: [decision(), decision({ quote: 'nothing like that', line: 99 })] })
    const { base_url, got } = await modelServer(() => ({ say }))
    const root = project({ 'b.js': '' })
    write(root, { 'a.js': CODE, '.svc/config.yaml': configured(base_url) })
    const made = await design.run(none, context(root))
    const own = made.decisions.find(({ source }) => source === 'llm')!
    expect(own).toMatchObject({ file: 'a.js', line: 3, status: 'pending', confidence: 0.7, kind: 'llm' })
    expect(made.llm).toEqual({ state: 'evaluated', dropped: 1 })
    await design.run({ ...none, ack: own.id, note: 'small' }, context(root))
    const again = await design.run(none, context(root))
    expect(again.decisions.find(({ id }) => id === own.id)).toMatchObject({ status: 'acknowledged' })
    expect(got.filter(({ prompt }) => prompt.includes('cache.set'))).toHaveLength(1)
  })

  it('takes no answers that the configuration names, unless the user says so', async () => {
    const { base_url, got } = await modelServer(() => ({ say: '{"decisions":[]}' }))
    const root = project({ 'b.js': '' })
    write(root, { 'a.js': CODE, '.svc/config.yaml': configured(base_url, '  replay: answers\n') })
    const refused = await design.run(none, context(root))
    expect(refused.llm).toMatchObject({ state: 'not_evaluated', reason: expect.stringContaining('llm.replay') })
    const allowed = await design.run(none, context(root, { env: { SVC_LLM_REPLAY: '1' } }))
    expect(allowed.llm.reason).not.toContain('llm.replay')
    expect(got).toEqual([])
  })

  it('sends no secret and no excluded file, and shows in a dry run what it would send', async () => {
    const { base_url, got } = await modelServer(() => ({ say: '{"decisions":[]}' }))
    const root = project({ 'b.js': '' })
    write(root, {
      'a.js': `const token = '${TOKEN}'\n${CODE}`,
      'private/x.js': "const app = require('express')()\napp.get('/hidden', y)\n",
      '.svc/config.yaml': configured(base_url, '  exclude: [private, .svc]\n'),
    })
    const planned = await design.run({ ...none, dry_run: true }, context(root))
    expect(got).toHaveLength(0)
    expect(planned.planned).toHaveLength(1)
    expect(planned.planned![0]!.to).toBe(base_url)
    expect(planned.planned![0]!.prompt).toContain('cache.set')
    expect(planned.planned![0]!.prompt).not.toContain(TOKEN)
    expect(planned.planned![0]!.prompt).not.toContain('/hidden')
    expect(design.text(planned, view)).toContain('1 request would be sent')
    await design.run(none, context(root))
    expect(got).toHaveLength(1)
    expect(got[0]!.body).not.toContain(TOKEN)
    expect(got[0]!.body).not.toContain('/hidden')
  })

  it('a server that is down leaves the deterministic part, and says what is missing', async () => {
    const root = project({ 'b.js': '' })
    write(root, { 'a.js': CODE, '.svc/config.yaml': configured('http://127.0.0.1:59998/v1') })
    const made = await design.run(none, context(root))
    expect(made.decisions.map(({ kind }) => kind)).toContain('endpoint')
    expect(made.llm.state).toBe('not_evaluated')
    expect(made.llm.reason).toContain('cannot be reached')
  })
})

it('threat-model takes threats of a model at verified lines, and drops those of unknown elements', async () => {
  const threat = (more: object) => ({
    ...{
      stride: 'tampering',
      element: 'process:root',
      file: 'a.js',
      line: 3,
      quote: 'cache.set(req.query.id',
      title: 'Cache poisoning',
    },
    ...{
      description: 'd',
      attack_vector: 'v',
      impact: 'i',
      likelihood: 'high',
      severity: 'high',
      mitigation: 'm',
      confidence: 1,
      ...more,
    },
  })
  const { base_url } = await modelServer(() => ({
    say: JSON.stringify({ threats: [threat({}), threat({ element: 'process:none' }), threat({ file: 'b.js' })] }),
  }))
  const root = project({ 'a.js': CODE, '.svc/config.yaml': configured(base_url) })
  const made = await threats.run({ pending: false, dry_run: false }, context(root))
  expect(made.threats.filter(({ source }) => source === 'llm')).toMatchObject([
    { title: 'Cache poisoning', places: [{ file: 'a.js', line: 3 }], confidence: 0.7 },
  ])
  expect(made.llm).toEqual({ state: 'evaluated', dropped: 2 })
})

describe('drift', () => {
  const judge = async (answer: object, text = CODE) => {
    const { base_url } = await modelServer(() => ({ say: JSON.stringify(answer) }))
    const root = repository({ '.svc/config.yaml': configured(base_url) })
    const session = openSession(await loadConfig(root, { env: {} }), {
      cwd: root,
      env: {},
      signal: new AbortController().signal,
    })
    return judgeDrift(session, { requirement: 'Results are not cached.', files: [{ path: 'a.js', text }] }, [])
  }
  const evidence = [{ file: 'a.js', line: 3, quote: 'cache.set(req.query.id' }]

  it('is what the model says with a line that exists', async () => {
    expect(await judge({ verdict: 'violated', reason: 'it caches', evidence, confidence: 1 })).toEqual({
      ...{ verdict: 'violated', reason: 'it caches', evidence: [{ file: 'a.js', line: 3 }], confidence: 0.65 },
    })
  })

  it('is unknown without such a line, or without an answer', async () => {
    expect((await judge({ verdict: 'holds', reason: 'r', evidence: [], confidence: 1 })).verdict).toBe('unknown')
    expect((await judge({ nonsense: true })).verdict).toBe('unknown')
  })
})

describe('where code and keys may go', () => {
  const settings = async (yaml: string, env: Record<string, string> = {}) =>
    resolveSettings(await loadConfig(repository({ '.svc/config.yaml': yaml }), { env: {} }), env)

  it('a server of the repository’s choice gets nothing until the user names it', async () => {
    const yaml = configured('https://evil.test/v1', '  usd_per_million_input: 1\n  usd_per_million_output: 1\n')
    expect(await settings(yaml, { SVC_LLM_API_KEY: 'k' }).catch((error: unknown) => error)).toMatchObject({
      kind: 'not_trusted',
    })
    expect(await settings(yaml, { SVC_LLM_API_KEY: 'k', SVC_LLM_TRUST: 'https://evil.test' })).toMatchObject({
      key: 'k',
    })
  })

  it('a configuration cannot send another secret as the key', async () => {
    const yaml = 'llm:\n  provider: anthropic\n  model: claude-sonnet-4-5\n  key_env: AWS_SECRET_ACCESS_KEY\n'
    expect(await settings(yaml, { AWS_SECRET_ACCESS_KEY: 'x' }).catch((error: unknown) => error)).toMatchObject({
      kind: 'not_trusted',
    })
  })

  it('a model without a known price needs one, so that the budget holds', async () => {
    const yaml = 'llm:\n  provider: openai\n  model: unheard-of\n'
    expect(await settings(yaml, { OPENAI_API_KEY: 'k' }).catch((error: unknown) => error)).toMatchObject({
      kind: 'not_configured',
    })
  })

  it('a key goes to its own provider alone', async () => {
    const yaml = (provider: string, name: string) =>
      `llm:\n  provider: ${provider}\n  model: gpt-4o\n  key_env: ${name}\n`
    for (const [provider, name] of [
      ['openai', 'ANTHROPIC_API_KEY'],
      ['anthropic', 'TEAM_OPENAI_API_KEY'],
    ] as const)
      expect(await settings(yaml(provider, name), { [name]: 'k' }).catch((error: unknown) => error)).toMatchObject({
        kind: 'not_trusted',
      })
    expect(await settings(yaml('openai', 'TEAM_OPENAI_API_KEY'), { TEAM_OPENAI_API_KEY: 'k' })).toMatchObject({
      key: 'k',
    })
  })

  it('a server on this machine gets no key until the user names it', async () => {
    const yaml = configured('http://127.0.0.1:11434/v1')
    const held = await settings(yaml, { SVC_LLM_API_KEY: 'k' })
    expect(held).toMatchObject({ is_key_withheld: true })
    expect(held).not.toHaveProperty('key')
    expect(await settings(yaml, { SVC_LLM_API_KEY: 'k', SVC_LLM_TRUST: 'http://127.0.0.1:11434' })).toMatchObject({
      key: 'k',
    })
  })

  it('a missing key ends reviews with 69, after what could be answered', async () => {
    const yaml = 'llm:\n  provider: anthropic\n  model: claude-sonnet-4-5\n  key_env: TEAM_LLM_API_KEY\n'
    const root = project({ '.svc/config.yaml': yaml, 'b.js': '' })
    write(root, { 'a.js': CODE })
    const made = await design.run(none, context(root))
    expect(made.decisions.length).toBeGreaterThan(0)
    expect(design.exit?.(made)).toBe(69)
    const model = await threats.run({ pending: false, dry_run: false }, context(root))
    expect(model.model).not.toBeNull()
    expect(threats.exit?.(model)).toBe(69)
    write(root, { '.svc/config.yaml': '{}\n' })
    expect(design.exit?.(await design.run(none, context(root)))).toBe(0)
  })

  it('a dry run stores nothing', async () => {
    const root = project({ 'b.js': '', '.svc/config.yaml': configured('http://127.0.0.1:9/v1') })
    write(root, { 'a.js': CODE })
    await design.run({ ...none, dry_run: true }, context(root))
    await threats.run({ pending: false, dry_run: true }, context(root))
    expect(existsSync(join(root, 'out'))).toBe(false)
  })

  it('a configured price raises the list price and never lowers it, but on this machine', async () => {
    const priced = (input: number, output: number, model = 'gpt-4o', provider = 'openai') =>
      `llm:\n  provider: ${provider}\n  model: ${model}\n  usd_per_million_input: ${input}\n  usd_per_million_output: ${output}\n`
    const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }
    const priceOf = async (yaml: string) => (await settings(yaml, env)).price
    expect(await priceOf(priced(0, 0))).toEqual({ input: 2.5, output: 10 })
    expect(await priceOf(priced(3, 0))).toEqual({ input: 3, output: 10 })
    expect(await priceOf(priced(0, 0, 'unheard-of'))).toEqual({ input: 15, output: 75 })
    expect(await priceOf(priced(0, 100, 'unheard-of', 'anthropic'))).toEqual({ input: 15, output: 100 })
    const local = configured('http://127.0.0.1:11434/v1', '  usd_per_million_input: 0\n  usd_per_million_output: 1\n')
    expect(await priceOf(local)).toEqual({ input: 0, output: 1 })
  })

  it('a configuration lowers the limits of the user and never raises them', async () => {
    const yaml = (more: string) => `llm:\n  provider: openai\n  model: gpt-4o\n${more}`
    const high = yaml('  max_usd_per_day: 100000\n  max_tokens_per_run: 100000000\n')
    const env = { OPENAI_API_KEY: 'k' }
    expect(await settings(high, env)).toMatchObject({ max_usd_per_day: 20, max_tokens_per_run: 2_000_000 })
    const own = { ...env, SVC_LLM_MAX_USD_PER_DAY: '50', SVC_LLM_MAX_TOKENS_PER_RUN: '10' }
    expect(await settings(high, own)).toMatchObject({
      ...{ max_usd_per_day: 50, max_tokens_per_run: 10 },
      limited_by: { usd: 'SVC_LLM_MAX_USD_PER_DAY', tokens: 'SVC_LLM_MAX_TOKENS_PER_RUN' },
    })
    expect(await settings(yaml('  max_usd_per_day: 0.5\n'), own)).toMatchObject({
      ...{ max_usd_per_day: 0.5, limited_by: { usd: 'llm.max_usd_per_day' } },
    })
    const wrong = await settings(high, { ...env, SVC_LLM_MAX_USD_PER_DAY: 'much' }).catch((error: unknown) => error)
    expect(wrong).toMatchObject({ code: 'CONFIG_INVALID' })
    const local = configured('http://127.0.0.1:11434/v1', '  max_tokens_per_run: 9000000\n')
    expect(await settings(local)).toMatchObject({ max_tokens_per_run: 9_000_000 })
  })

  it('a server on this machine needs no key, and costs nothing', async () => {
    expect(await settings(configured('http://127.0.0.1:11434/v1'))).toMatchObject({ price: { input: 0, output: 0 } })
  })
})

it('POST /api/ai-key keeps a key in memory, and no agent sets one', async () => {
  const root = repository({})
  const agent = await refusal(() => aiKey.run({ provider: 'openai', key: 'k' }, context(root, { surface: 'mcp' })))
  expect(agent.code).toBe('FORBIDDEN')
  const answer = await aiKey.run(
    { provider: 'openai', key: 'k-123', model: 'gpt-4o' },
    context(root, { surface: 'rest' }),
  )
  expect(JSON.stringify(answer)).not.toContain('k-123')
  expect(getSessionKey()).toEqual({ provider: 'openai', key: 'k-123', model: 'gpt-4o' })
  expect(resolveSettings(await loadConfig(root, { env: {} }), {})).toMatchObject({
    provider: 'openai',
    model: 'gpt-4o',
    key: 'k-123',
  })
  setSessionKey(undefined)
})
