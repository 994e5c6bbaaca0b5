import { redactCredentials } from '../../base/text/credentials.ts'
import type { Hash } from './component.ts'
import type { Entry } from './parsed.ts'

/** What a file says of a package, without users, passwords and tokens: lock files of private registries have them in addresses. */
export function redactEntry<T extends Omit<Entry, 'key'>>(entry: T): T {
  const { name, version, requirement, resolved, vcs, qualifiers } = entry
  const clean = { ...entry, name: redactCredentials(name) }
  if (version !== undefined) clean.version = redactCredentials(version)
  if (requirement !== undefined) clean.requirement = redactCredentials(requirement)
  if (resolved !== undefined) clean.resolved = redactCredentials(resolved)
  if (vcs !== undefined) clean.vcs = redactCredentials(vcs)
  if (qualifiers !== undefined)
    clean.qualifiers = Object.fromEntries(
      Object.entries(qualifiers).map(([key, value]) => [key, redactCredentials(value)]),
    )
  return clean
}

/** Whether an address of npm's families is a directory on disk, and no archive: it is no package of a registry. */
export function isLocalPath(address: string | undefined): boolean {
  if (address === undefined || !/^(file|link|portal):/.test(address)) return false
  return !/\.(tgz|tar\.gz|tar)(?:[#:]|$)/i.test(address)
}

/** Digests of a Subresource Integrity text (`sha512-…`), in hexadecimal; unknown algorithms are left out. */
export function readIntegrity(text: string | undefined): Hash[] {
  const found: Hash[] = []
  for (const each of (text ?? '').split(/\s+/)) {
    const [, name = '', base64 = ''] = /^(sha1|sha256|sha384|sha512)-([A-Za-z0-9+/=]+)/.exec(each) ?? []
    const algorithm = ALGORITHMS[name]
    if (algorithm === undefined) continue
    const value = Buffer.from(base64, 'base64').toString('hex')
    if (value.length === HEX_LENGTHS[algorithm]) found.push({ algorithm, value })
  }
  return found
}

const ALGORITHMS: Record<string, Hash['algorithm']> = {
  md5: 'MD5',
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
}

const HEX_LENGTHS: Record<Hash['algorithm'], number> = {
  MD5: 32,
  'SHA-1': 40,
  'SHA-256': 64,
  'SHA-384': 96,
  'SHA-512': 128,
  'BLAKE2b-256': 64,
}

/** A digest in hexadecimal, `sha256:…` or bare with its algorithm; none where it has not the algorithm's length. */
export function readDigest(text: unknown, algorithm?: string): Hash[] {
  if (typeof text !== 'string') return []
  const [, prefix, digits = ''] = /^(?:([A-Za-z0-9]+)[:=])?([0-9a-fA-F]+)$/.exec(text.trim()) ?? []
  const name = ALGORITHMS[(prefix ?? algorithm ?? '').toLowerCase()]
  if (name === undefined || digits.length !== HEX_LENGTHS[name]) return []
  return [{ algorithm: name, value: digits.toLowerCase() }]
}

/** A git URL with its commit in the form of the `vcs_url` qualifier: `git+https://host/owner/repo@commit`. */
export function formatVcs(url: string, commit?: string): string {
  const plain = redactCredentials(url.replace(/#.*$/, ''))
  const address = /^git\+/.test(plain) || /^git:/.test(plain) ? plain : `git+${plain}`
  return commit === undefined ? address : `${address}@${commit}`
}
