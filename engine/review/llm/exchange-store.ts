import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { writeOutput } from '../../base/disk/output-file.ts'
import { ignoreUnreadable, readOwn } from '../../base/disk/own-folder.ts'
import { canonical } from '../../base/text/canonical.ts'
import { isObject } from '../../base/text/json-object.ts'
import type { Seal } from '../../sources/state/cache-seal.ts'
import type { Usage } from './budget.ts'

/** Changes of how prompts are made make old exchanges unusable. */
const VERSION = 1
const MOST_BYTES = 4 << 20
const PURPOSE = 'llm exchange'

/** An exchange as it is kept: the answer's text, and what it took. */
export interface Exchange {
  purpose: string
  provider: string
  model: string
  text: string
  usage: Usage
}

/** The digest of a request: provider, model, messages and schema. Fences are random, so they count as one word. */
export function digestRequest(
  request: {
    provider: string
    model: string
    purpose: string
    messages: readonly unknown[]
    schema: unknown
    max_output_tokens: number
  },
  nonces: readonly string[],
): string {
  let text = canonical({ version: VERSION, ...request })
  for (const nonce of nonces) text = text.replaceAll(nonce, 'FENCE')
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Reads a kept exchange; undefined where there is none that can be read, or, with a seal, none that this user has kept: a repository can
 * bring a cache.
 */
export function readExchange(folder: string, digest: string, seal?: Seal): Exchange | undefined {
  const bytes = ignoreUnreadable(() => readOwn(join(folder, `${digest}.json`), MOST_BYTES))
  if (bytes === undefined) return undefined
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (!isObject(value) || typeof value.text !== 'string' || !isObject(value.usage)) return undefined
    if (seal && !seal.verify(PURPOSE, digestAnswer(digest, value.text), String(value.seal))) return undefined
    return value as unknown as Exchange
  } catch {
    return undefined
  }
}

export function writeExchange(folder: string, digest: string, exchange: Exchange, seal?: Seal): void {
  makeFolders(folder)
  const sealed = seal ? { ...exchange, seal: seal.sign(PURPOSE, digestAnswer(digest, exchange.text)) } : exchange
  writeOutput(join(folder, `${digest}.json`), `${JSON.stringify(sealed, null, 1)}\n`)
}

function digestAnswer(digest: string, text: string): string {
  return createHash('sha256').update(`${digest}\n${text}`).digest('hex')
}
