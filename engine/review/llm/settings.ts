import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { Config } from '../../sources/config/load.ts'
import { KEYRING_VARIABLE, readKeyring } from './keyring.ts'
import { getSessionKey } from './keys.ts'
import { limitSpending, type SpendingLimits } from './limits.ts'
import { LlmError } from './llm-error.ts'
import { findPrice, type Price, UNLISTED_PRICE } from './prices.ts'

/** A model that can be asked, with everything that a request needs. */
export interface LlmSettings extends SpendingLimits {
  provider: 'anthropic' | 'openai' | 'openai-compatible'
  model: string
  base_url: string
  /** Absent for a server that takes none, or that may not have it. */
  key?: string
  /** There is a key, and the user has not allowed to send it there. */
  is_key_withheld?: true
  price: Price
  max_output_tokens: number
  concurrency: number
  timeout_ms: number
}

const BASE_URLS = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  'openai-compatible': undefined,
}
const KEYS = { anthropic: 'ANTHROPIC_API_KEY', openai: 'OPENAI_API_KEY', 'openai-compatible': 'SVC_LLM_API_KEY' }
/**
 * A repository's configuration may name these variables alone: others could be secrets of something else, or the key of another provider,
 * which this one would get to know.
 */
const KEY_NAMES = {
  anthropic: /^(?:\w{1,60}_)?(?:LLM|ANTHROPIC)(?:_\w{1,20})?_API_KEY$/,
  openai: /^(?:\w{1,60}_)?(?:LLM|OPENAI)(?:_\w{1,20})?_API_KEY$/,
  'openai-compatible': /^(?:\w{1,60}_)?(?:LLM|MISTRAL|GROQ|OPENROUTER|DEEPSEEK|GEMINI|TOGETHER)(?:_\w{1,20})?_API_KEY$/,
}
/** Origins, separated by commas, to which a user lets svc send code and the key. */
export const TRUST_VARIABLE = 'SVC_LLM_TRUST'
/** A file that holds the key, named by the user and not by the repository. */
export const KEY_FILE_VARIABLE = 'SVC_LLM_KEY_FILE'

/** Whether a provider is configured at all. */
export function isConfigured({ llm }: Pick<Config, 'llm'>): boolean {
  return llm.provider !== undefined || getSessionKey() !== undefined
}

/**
 * The model to ask. LlmError `not_configured` where something is missing, and `not_trusted` where the configuration, which is the
 * repository's, names a server that neither is the provider's own nor on this machine, and the user has not named it. A server on this
 * machine gets code without that, and no key: any program may listen there. `isReplaying`: nothing is sent, so no key is needed.
 */
export function resolveSettings(
  { llm }: Pick<Config, 'llm'>,
  env: Readonly<Record<string, string | undefined>>,
  isReplaying = false,
): LlmSettings {
  const session = getSessionKey()
  const provider = llm.provider ?? (session?.provider as LlmSettings['provider'] | undefined)
  if (provider === undefined) throw new LlmError('not_configured', 'no LLM provider is configured')
  const model = (session?.provider === provider ? session.model : undefined) ?? llm.model
  if (model === undefined) throw new LlmError('not_configured', 'llm.model is not set')
  const base_url = (llm.base_url ?? BASE_URLS[provider])?.replace(/\/+$/, '')
  if (base_url === undefined) throw new LlmError('not_configured', 'llm.base_url is not set')
  const { origin, hostname } = new URL(base_url)
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
  const own = BASE_URLS[provider]
  const trusted = (env[TRUST_VARIABLE] ?? '').split(',').map(each => each.trim().replace(/\/+$/, ''))
  const isOwn = own !== undefined && new URL(own).origin === origin
  const isAllowed = isOwn || trusted.includes(origin)
  if (!isLocal && !isAllowed)
    throw new LlmError('not_trusted', `${origin} is not trusted: set ${TRUST_VARIABLE}=${origin} to send code there`)
  const key = session?.provider === provider ? session.key : readKey(provider, llm.key_env, env)
  if (key === undefined && !isReplaying && (!isLocal || llm.key_env !== undefined))
    throw new LlmError(
      'not_configured',
      `no API key: set ${llm.key_env ?? KEYS[provider]}, ${KEYRING_VARIABLE} or ${KEY_FILE_VARIABLE}`,
    )
  const price = resolvePrice(llm, model, isLocal ? 'local' : isOwn ? 'own' : 'trusted')
  if (price === undefined)
    throw new LlmError(
      'not_configured',
      `the price of ${model} is not known: set llm.usd_per_million_input and llm.usd_per_million_output, so that the budget can hold`,
    )
  return {
    ...{ provider, model, base_url, price },
    ...(key !== undefined && (isAllowed ? { key } : { is_key_withheld: true as const })),
    ...limitSpending(llm, env, isLocal && !isAllowed),
    ...{
      max_output_tokens: llm.max_output_tokens,
      concurrency: llm.concurrency,
      timeout_ms: llm.timeout_seconds * 1000,
    },
  }
}

/**
 * What a model is counted with; undefined where nobody knows. The configured price is the repository's: it counts on this machine and where
 * it is not below the list, or the budget of a paid model would hold nothing back.
 */
function resolvePrice(
  { usd_per_million_input: input, usd_per_million_output: output }: Config['llm'],
  model: string,
  place: 'local' | 'own' | 'trusted',
): Price | undefined {
  const configured = input !== undefined && output !== undefined ? { input, output } : undefined
  if (place === 'local') return configured ?? { input: 0, output: 0 }
  const listed = findPrice(model)
  if (!configured) return listed
  const least = listed ?? (place === 'own' ? UNLISTED_PRICE : configured)
  return { input: Math.max(least.input, configured.input), output: Math.max(least.output, configured.output) }
}

function readKey(
  provider: LlmSettings['provider'],
  named: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (named !== undefined && !KEY_NAMES[provider].test(named))
    throw new LlmError('not_trusted', `llm.key_env names ${named}, which is no variable for a key of ${provider}`)
  const key = env[named ?? KEYS[provider]]
  if (key) return key.trim()
  const service = env[KEYRING_VARIABLE]
  if (service) return readKeyring(service)
  const file = env[KEY_FILE_VARIABLE]
  if (!file) return undefined
  try {
    return readFileSync(resolve(file.replace(/^~(?=\/)/, homedir())), 'utf8').trim() || undefined
  } catch (cause) {
    throw new LlmError('not_configured', `the key file in ${KEY_FILE_VARIABLE} cannot be read`, { cause })
  }
}
