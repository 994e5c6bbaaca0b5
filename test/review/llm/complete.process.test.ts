import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeBudget } from '../../../engine/review/llm/budget.ts'
import { type CompletionOptions, complete } from '../../../engine/review/llm/complete.ts'
import { LlmError } from '../../../engine/review/llm/llm-error.ts'
import type { LlmSettings } from '../../../engine/review/llm/settings.ts'
import { openSeal } from '../../../engine/sources/state/cache-seal.ts'
import { folder } from '../../made/folder.ts'
import { type Behavior, type Got, modelServer } from './model-server.ts'

const SCHEMA = { type: 'object', required: ['n'], additionalProperties: false, properties: { n: { type: 'integer' } } }
const REQUEST = {
  purpose: 'test',
  messages: [
    { role: 'system' as const, content: 'Count.' },
    { role: 'user' as const, content: 'How many?' },
  ],
  schema: SCHEMA,
}
const PROVIDERS = ['anthropic', 'openai-compatible'] as const

const setup = async (
  provider: LlmSettings['provider'],
  behave: (got: Got, count: number) => Behavior,
  more: Partial<LlmSettings> = {},
  options: Partial<CompletionOptions> = {},
) => {
  const { base_url, got } = await modelServer(behave)
  const settings: LlmSettings = {
    ...{
      provider,
      model: provider === 'anthropic' ? 'claude-sonnet-4-5' : 'local',
      base_url,
      key: 'secret-key',
      price: { input: 1, output: 2 },
    },
    ...{
      max_tokens_per_run: 100_000,
      max_usd_per_day: 5,
      limited_by: { tokens: 'llm.max_tokens_per_run', usd: 'llm.max_usd_per_day' },
      max_output_tokens: 500,
      concurrency: 1,
      timeout_ms: 5000,
      ...more,
    },
  }
  const ledger = join(folder({}), 'usage.jsonl')
  const budget = makeBudget(settings, ledger, '2026-01-01')
  const pauses: number[] = []
  const all: CompletionOptions = {
    ...{ settings, budget, signal: new AbortController().signal },
    pause: ms => {
      pauses.push(ms)
      return Promise.resolve()
    },
    ...options,
  }
  return { ask: () => complete(REQUEST, all), got, budget, pauses, ledger, all }
}

const fails = async (work: Promise<unknown>): Promise<LlmError> => {
  try {
    await work
  } catch (error) {
    if (error instanceof LlmError) return error
    throw error
  }
  throw new Error('it did not fail')
}

describe.each(PROVIDERS)('%s', provider => {
  it('answers by the schema, and is paid for as it says', async () => {
    const { ask, got, budget, ledger } = await setup(provider, () => ({
      say: '{"n":3}',
      usage: { input: 100, output: 20 },
    }))
    expect(await ask()).toEqual({ value: { n: 3 }, usage: { input: 100, output: 20 }, cached: false })
    expect(budget.spent.tokens).toBe(120)
    expect(JSON.parse(readFileSync(ledger, 'utf8'))).toMatchObject({ day: '2026-01-01', usd: 0.00014 })
    expect(got[0]!.key).toContain('secret-key')
    expect(got[0]!.prompt).toContain('How many?')
  })

  it.each([
    ['malformed JSON', { say: '{"n":' }],
    ['the wrong schema', { say: '{"n":"three","extra":1}' }],
    ['an empty answer', { say: '' }],
    ['words only', { say: 'There are three.' }],
  ] as const)('repairs %s once', async (_name, bad) => {
    const { ask, got } = await setup(provider, (_got, count) => (count === 1 ? bad : { say: '{"n":3}' }))
    expect((await ask()).value).toEqual({ n: 3 })
    expect(got).toHaveLength(2)
    expect(got[1]!.prompt).toContain('This is not valid')
  })

  it('gives up after one repair, and keeps the raw answer', async () => {
    const raw = folder({})
    const { ask, got } = await setup(provider, () => ({ say: 'never JSON' }), {}, { raw })
    const error = await fails(ask())
    expect(error).toMatchObject({ kind: 'invalid_answer', raw: 'never JSON' })
    expect(got).toHaveLength(2)
    expect(readFileSync(join(raw, readdirSync(raw)[0]!), 'utf8')).toBe('never JSON')
  })

  it('reads an answer in a code block', async () => {
    const { ask } = await setup(provider, () => ({ say: 'Here:\n```json\n{"n":3}\n```' }))
    expect((await ask()).value).toEqual({ n: 3 })
  })

  it('says that it was refused', async () => {
    const { ask } = await setup(provider, () => ({ refuse: true }))
    expect(['refused', 'invalid_answer']).toContain((await fails(ask())).kind)
  })

  it.each([429, 529, 500])('asks again after %i, as late as the server says', async status => {
    const { ask, pauses } = await setup(provider, (_got, count) =>
      count === 1 ? { status, retryAfter: '7' } : { say: '{"n":3}' },
    )
    expect((await ask()).value).toEqual({ n: 3 })
    expect(pauses).toEqual([7000])
  })

  it('asks three times at most, and pays nothing for that', async () => {
    const { ask, got, budget } = await setup(provider, () => ({ status: 529 }))
    expect((await fails(ask())).kind).toBe('unreachable')
    expect(got).toHaveLength(3)
    expect(budget.spent.tokens).toBe(0)
  })

  it.each([400, 401, 404])('does not ask again after %i', async status => {
    const { ask, got } = await setup(provider, () => ({ status }))
    expect((await fails(ask())).kind).toBe('rejected')
    expect(got).toHaveLength(1)
  })

  it('times out, and counts what it may have cost', async () => {
    const { ask, budget } = await setup(provider, () => ({ slow: 3000, say: '{"n":3}' }), { timeout_ms: 100 })
    expect((await fails(ask())).kind).toBe('timed_out')
    expect(budget.spent.tokens).toBeGreaterThan(500)
  })

  it('an answer that is cut off is no answer', async () => {
    const { ask } = await setup(provider, () => ({ cut: true }))
    expect(['unreachable', 'invalid_answer']).toContain((await fails(ask())).kind)
  })

  it('a page of a proxy is no answer', async () => {
    const { ask } = await setup(provider, () => ({ html: true }))
    expect(['invalid_answer', 'rejected']).toContain((await fails(ask())).kind)
  })

  it('calls no tool that an answer asks for', async () => {
    const { ask } = await setup(provider, () => ({ noise: true, say: '{"n":3}' }))
    const result = await ask().catch((error: unknown) => error)
    if (result instanceof LlmError) expect(result.kind).toBe('invalid_answer')
    else expect(result).toMatchObject({ value: { n: 3 } })
  })

  it('takes an answer of 1 MB, and refuses a larger one than 2 MB', async () => {
    const padded = (size: number) => `${' '.repeat(size)}{"n":3}`
    expect((await (await setup(provider, () => ({ say: padded(1 << 20) }))).ask()).value).toEqual({ n: 3 })
    expect((await fails((await setup(provider, () => ({ say: padded(3 << 20) }))).ask())).kind).toBe('too_large')
  })
})

describe('a budget', () => {
  it('of tokens holds to the token, also for requests at the same time', async () => {
    const { all, got, budget } = await setup(
      'openai-compatible',
      () => ({ slow: 20, say: '{"n":3}', usage: { input: 300, output: 500 } }) as Behavior,
      { max_tokens_per_run: 2000 },
    )
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => complete(REQUEST, all)))
    const refused = answers.filter(each => each.status === 'rejected').map(each => (each.reason as LlmError).kind)
    expect(refused.length).toBeGreaterThan(0)
    expect(new Set(refused)).toEqual(new Set(['budget']))
    expect(budget.spent.tokens).toBeLessThanOrEqual(2000)
    expect(got).toHaveLength(6 - refused.length)
  })

  it('of dollars counts what other runs spent on the day', async () => {
    const { ask, all, ledger } = await setup(
      'openai-compatible',
      () => ({ say: '{"n":3}', usage: { input: 400_000, output: 0 } }),
      { max_usd_per_day: 0.41, max_output_tokens: 5 },
    )
    await ask()
    const limited_by = { tokens: 'a', usd: 'b' }
    const other = makeBudget(
      { max_tokens_per_run: 1e6, max_usd_per_day: 0.4, limited_by, price: { input: 1, output: 2 } },
      ledger,
      '2026-01-01',
    )
    expect((await fails(complete(REQUEST, { ...all, budget: other }))).kind).toBe('budget')
    const tomorrow = makeBudget(
      { max_tokens_per_run: 1e6, max_usd_per_day: 0.4, limited_by, price: { input: 1, output: 2 } },
      ledger,
      '2026-01-02',
    )
    await complete(REQUEST, { ...all, budget: tomorrow })
  })

  it('of dollars is not lifted by a ledger that a repository brings', async () => {
    const { all, ledger } = await setup('openai-compatible', () => ({ say: '{"n":3}' }), { max_usd_per_day: 0.000001 })
    writeFileSync(ledger, '{"day":"2026-01-01","usd":-1000}\n')
    expect((await fails(complete(REQUEST, all))).kind).toBe('budget')
    const target = `${ledger}.target`
    writeFileSync(target, '')
    rmSync(ledger)
    symlinkSync(target, ledger)
    expect((await fails(complete(REQUEST, all))).kind).toBe('budget')
    expect(readFileSync(target, 'utf8')).toBe('')
  })
})

const SEAL = openSeal({ SVC_CACHE_KEY: 'a'.repeat(32) })!

describe('exchanges', () => {
  it('are recorded and replayed without a request', async () => {
    const record = folder({})
    const { ask, all, got } = await setup('openai-compatible', () => ({ say: '{"n":3}' }), {}, { record })
    await ask()
    const replayed = await complete(REQUEST, { ...all, replay: record })
    expect(replayed).toEqual({ value: { n: 3 }, usage: { input: 0, output: 0 }, cached: true })
    expect(got).toHaveLength(1)
    const other = { ...REQUEST, messages: [{ role: 'user' as const, content: 'Another question' }] }
    expect((await fails(complete(other, { ...all, replay: record }))).kind).toBe('replay_miss')
    expect(got).toHaveLength(1)
  })

  it('are cached by content: the random words of fences make no difference', async () => {
    const cache = folder({})
    const { all, got } = await setup(
      'openai-compatible',
      () => ({ say: '{"n":3}' }),
      {},
      { cache: { folder: cache, seal: SEAL } },
    )
    const fenced = (nonce: string) => ({
      ...REQUEST,
      nonces: [nonce],
      messages: [{ role: 'user' as const, content: `<<<DATA ${nonce}\nx\nDATA>>> ${nonce}` }],
    })
    await complete(fenced('aaaa1111'), all)
    expect((await complete(fenced('bbbb2222'), all)).cached).toBe(true)
    expect(got).toHaveLength(1)
  })

  it('that this user has not sealed, or that were edited, are asked again', async () => {
    const cache = folder({})
    const { all, got } = await setup(
      'openai-compatible',
      () => ({ say: '{"n":3}' }),
      {},
      { cache: { folder: cache, seal: SEAL } },
    )
    await complete(REQUEST, all)
    const other = openSeal({ SVC_CACHE_KEY: 'b'.repeat(32) })!
    expect((await complete(REQUEST, { ...all, cache: { folder: cache, seal: other } })).cached).toBe(false)
    await complete(REQUEST, all)
    const file = join(cache, readdirSync(cache)[0]!)
    writeFileSync(file, readFileSync(file, 'utf8').replace('\\"n\\":3', '\\"n\\":4'))
    expect((await complete(REQUEST, all)).value).toEqual({ n: 3 })
    expect(got).toHaveLength(4)
  })

  it('a damaged one is asked again', async () => {
    const cache = folder({ 'x.json': '{' })
    expect(existsSync(join(cache, 'x.json'))).toBe(true)
    const { ask, got } = await setup(
      'openai-compatible',
      () => ({ say: '{"n":3}' }),
      {},
      { cache: { folder: cache, seal: SEAL } },
    )
    await ask()
    expect(got).toHaveLength(1)
  })
})

it('an abort ends the exchange', async () => {
  const controller = new AbortController()
  const { all } = await setup('openai-compatible', () => ({ slow: 4000, say: '{"n":3}' }))
  setTimeout(() => controller.abort(), 50)
  await expect(complete(REQUEST, { ...all, signal: controller.signal })).rejects.toThrow(/abort/i)
})
