import { replaceLoneSurrogates } from '../../base/text/visible.ts'

/** Code that a requirement was linked to when it was confirmed. */
export interface ConfirmedPlace {
  kind: 'code' | 'test' | 'import'
  path: string
  symbol?: string
  /** git's name of the content: where it is the same, nothing changed. */
  oid?: string
  structure?: string
  tree?: string
}

/** What `confirmed.digest` says. */
export interface ConfirmedDigest {
  /** Of title, description and acceptance criteria. */
  text: string
  places: ConfirmedPlace[]
}

/** In place of the digest of a file that is not there or cannot be read. */
export const UNREADABLE = '0'

const VERSION = '1'
const KINDS = { c: 'code', t: 'test', i: 'import' } as const
const LETTERS = { code: 'c', test: 't', import: 'i' } as const

/**
 * Writes a digest as one line: `1 <text> c:src/login.ts#login=<git object>.<structure>.<tree> t:test/login.test.ts i:src/session.ts=<structure>`, so
 * that a review shows what was confirmed.
 */
export function formatDigest({ text, places }: ConfirmedDigest): string {
  const parts = places.map(({ kind, path, symbol, oid, structure, tree }) => {
    const name = `${LETTERS[kind]}:${encode(path)}${symbol === undefined ? '' : `#${encode(symbol)}`}`
    if (kind === 'test') return name
    return kind === 'import' ? `${name}=${structure}` : `${name}=${oid ?? '-'}.${structure}.${tree}`
  })
  return [VERSION, text, ...parts].join(' ')
}

/** Reads a digest; undefined where it is none that svc wrote. */
export function parseDigest(digest: string): ConfirmedDigest | undefined {
  const [version, text, ...parts] = digest.trim().split(/\s+/)
  if (version !== VERSION || !/^[0-9a-f]{16}$/.test(text ?? '')) return undefined
  const places: ConfirmedPlace[] = []
  for (const part of parts) {
    const found = /^([cti]):([^=#]+)(?:#([^=]+))?(?:=([0-9a-f.-]{1,80}))?$/.exec(part)
    if (!found) return undefined
    const [, letter, path, symbol, values = ''] = found
    const kind = KINDS[letter as keyof typeof KINDS]
    const [first, structure, tree] = values.split('.')
    try {
      places.push({
        ...{ kind, path: decodeURIComponent(path!) },
        ...(symbol !== undefined && { symbol: decodeURIComponent(symbol) }),
        ...(kind === 'code' && { ...(first !== '-' && { oid: first }), structure, tree }),
        ...(kind === 'import' && { structure: first }),
      } as ConfirmedPlace)
    } catch {
      return undefined
    }
  }
  return { text: text!, places }
}

function encode(text: string): string {
  return encodeURIComponent(replaceLoneSurrogates(text)).replaceAll('%2F', '/')
}
