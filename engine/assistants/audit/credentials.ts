import { makeSecretFinder } from '../../detect/file/find-secrets.ts'
import { isStandIn, measureEntropy } from '../../detect/secrets/placeholder.ts'
import { loadBuiltinRules } from '../../sources/packs/load.ts'
import type { Server } from './discover.ts'

/** Names of what holds a credential. */
const NAME =
  /(^|[_-])(token|secret|password|passwd|pwd|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|key|authorization|credentials?|pat)$/i
/** Detectors that go by a name beside the value, and not by the value's own format. */
const BY_NAME = /^secret-generic/
const LOGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:([^\s/@]+)@/i
/** A reference: ${X}, ${env:X}, $X, %X%, {{x}}, <x>. */
const REFERENCE = /\$\{|\$[A-Z_]+\b|%[A-Z_]+%|\{\{|^<.*>$/
const SHORTEST = 8
/** Bits per character below which a value is a word. */
const LEAST_ENTROPY = 2.5

/** Where a server's configuration holds credentials: names of variables, headers, options and parameters; never a value. */
export function findCredentials({
  env,
  headers,
  args,
  url,
}: Pick<Server, 'env' | 'headers' | 'args' | 'url'>): string[] {
  const values: Named[] = []
  const check = (where: string, name: string, value: unknown) => {
    if (typeof value === 'string') values.push({ where, name, value })
  }
  for (const [name, value] of Object.entries(env)) check(`variable ${name}`, name, value)
  for (const [name, value] of Object.entries(headers)) check(`header ${name}`, name, value)
  for (const [at, word] of args.entries()) checkArgument(word, args[at + 1], check)
  if (url !== undefined) checkUrl(url, check)
  const known = findKnownFormats(values)
  return values.filter((one, at) => isCredential(one, known.has(at))).map(({ where }) => where)
}

interface Named {
  where: string
  name: string
  value: string
}

let findSecrets: ReturnType<typeof makeSecretFinder> | undefined

/** Which of these hold a credential of a format that svc's detectors know, one a line. */
function findKnownFormats(values: readonly Named[]): Set<number> {
  if (values.length === 0) return new Set()
  const lines = values.map(({ name, value }) => `${name}=${value}`.replace(/[\r\n]+/g, ' '))
  findSecrets ??= makeSecretFinder(loadBuiltinRules())
  const { matches } = findSecrets('.env', lines.join('\n'))
  return new Set(matches.filter(({ rule_id }) => !BY_NAME.test(rule_id)).map(({ line }) => line - 1))
}

type Report = (where: string, name: string, value: unknown) => void

function checkArgument(word: string, next: string | undefined, check: Report): void {
  const pair = /^(?:--?)?([\w-]{1,100})=(.*)$/s.exec(word)
  const header = /^([\w-]{1,100}):\s*(.*)$/s.exec(word)
  if (/^https?:\/\//i.test(word)) checkUrl(word, check)
  else if (pair) check(`argument ${pair[1]}`, pair[1]!, pair[2])
  else if (/^--?[\w-]+$/.test(word) && next !== undefined && !next.startsWith('-'))
    check(`argument ${word}`, word.replace(/^-+/, ''), next)
  else if (header && !word.includes('://')) check(`header ${header[1]}`, header[1]!, header[2])
  else check('argument', '', word)
}

function checkUrl(text: string, check: Report): void {
  check('URL', '', text)
  const query = text.split('?')[1]?.split('#')[0]
  for (const [name, value] of new URLSearchParams(query ?? '')) check(`parameter ${name}`, name, value)
}

function isCredential({ name, value: written }: Named, isKnown: boolean): boolean {
  const value = written.replace(/^(?:bearer|basic|token)\s+/i, '').trim()
  if (REFERENCE.test(value) || isStandIn(value)) return false
  const login = LOGIN.exec(value)?.[1]
  if (login !== undefined) return login.length >= 4
  if (isKnown) return true
  if (!NAME.test(name) || value.length < SHORTEST) return false
  if (/^(?:[./~]|[A-Za-z]:\\|https?:|file:)/.test(value) || /\s/.test(value)) return false
  return measureEntropy(value) >= LEAST_ENTROPY && /[\d\W_]/.test(value)
}
