import { isStandIn, measureEntropy } from '../../detect/secrets/placeholder.ts'
import type { Server } from './discover.ts'

/** Names of what holds a credential. */
const NAME =
  /(^|[_-])(token|secret|password|passwd|pwd|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|key|authorization|credentials?|pat)$/i
/** Formats that need no name. */
const FORMATS =
  /\b(gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,}|glpat-[\w-]{20}|sk-[\w-]{20,}|xox[abprs]-[\w-]{20,}|AKIA[0-9A-Z]{16}|AIza[\w-]{35}|npm_[A-Za-z0-9]{36})/
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
  const found: string[] = []
  const check = (where: string, name: string, value: unknown) => {
    if (typeof value === 'string' && isCredential(name, value)) found.push(where)
  }
  for (const [name, value] of Object.entries(env)) check(`variable ${name}`, name, value)
  for (const [name, value] of Object.entries(headers)) check(`header ${name}`, name, value)
  for (const [at, word] of args.entries()) checkArgument(word, args[at + 1], check)
  if (url !== undefined) checkUrl(url, check)
  return found
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

function isCredential(name: string, written: string): boolean {
  const value = written.replace(/^(?:bearer|basic|token)\s+/i, '').trim()
  if (REFERENCE.test(value) || isStandIn(value)) return false
  const login = LOGIN.exec(value)?.[1]
  if (login !== undefined) return login.length >= 4
  if (FORMATS.test(value)) return true
  if (!NAME.test(name) || value.length < SHORTEST) return false
  if (/^(?:[./~]|[A-Za-z]:\\|https?:|file:)/.test(value) || /\s/.test(value)) return false
  return measureEntropy(value) >= LEAST_ENTROPY && /[\d\W_]/.test(value)
}
