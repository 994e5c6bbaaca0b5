import type { Entry } from '../inventory/parsed.ts'
import {
  ARCHIVE_LOCKS,
  listDownloads,
  type MaliceSources,
  type ReadManifest,
  readNpmrc,
  type Suspicion,
} from './sources.ts'

/** Entries that make a host usual in a lock file, and their share. */
const USUAL_COUNT = 3
const USUAL_SHARE = 0.05
/** Lock files with fewer downloads say nothing of what is usual. */
const LEAST_DOWNLOADS = 10
/** The share of entries with a digest from which one without is unusual. */
const DIGEST_SHARE = 0.8

/** The two names of npm's public registry, npm's own and Yarn's: lock files that both have written mix them. */
const PUBLIC_NPM = /^registry\.(?:npmjs\.org|yarnpkg\.com)$/

/** Checks where the entries of lock files come from: host, protocol, the package in the address, digest, private scopes. */
export function checkLockAddresses({ root, files }: MaliceSources): Suspicion[] {
  const declared = files.flatMap(({ kind, parsed }) =>
    kind === 'manifest'
      ? (parsed.projects ?? []).flatMap(({ declares = [] }) => declares.flatMap(one => one.requirement ?? []))
      : [],
  )
  return files.flatMap(file => {
    if (!ARCHIVE_LOCKS.has(file.format)) return []
    const downloads = listDownloads(file)
    const registries = readNpmrc(root, file.file)
    const usual = findUsualHosts(downloads, [...registries.values()])
    const withDigest = downloads.filter(({ entry }) => entry.hashes?.length).length
    const expectsDigest = downloads.length >= LEAST_DOWNLOADS && withDigest >= downloads.length * DIGEST_SHARE
    return downloads.flatMap(({ entry, url }): Suspicion[] => {
      const confused = checkScope(file, entry, url, registries)
      if (confused) return [confused]
      const isDeclared = declared.some(requirement => requirement.includes(url.host))
      return [
        ...checkName(file, entry, url),
        ...(isUsual(url.host, usual) || isDeclared || downloads.length < LEAST_DOWNLOADS
          ? []
          : [describeHost(file, entry, url)]),
        ...(url.protocol === 'http:' && !isLoopback(url) ? [describePlain(file, entry, url)] : []),
        ...(expectsDigest && !entry.hashes?.length && !isDeclared ? [describeNoDigest(file, entry)] : []),
      ]
    })
  })
}

function findUsualHosts(downloads: readonly { url: URL }[], configured: readonly URL[]): Set<string> {
  const counts = new Map<string, number>()
  for (const { url } of downloads) counts.set(url.host, (counts.get(url.host) ?? 0) + 1)
  const usual = [...counts].filter(([, count]) => count >= USUAL_COUNT && count >= downloads.length * USUAL_SHARE)
  return new Set([...usual.map(([host]) => host), ...configured.map(({ host }) => host)])
}

function isUsual(host: string, usual: ReadonlySet<string>): boolean {
  return usual.has(host) || (PUBLIC_NPM.test(host) && [...usual].some(each => PUBLIC_NPM.test(each)))
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}

const nameOf = ({ name, version }: Entry) => `${name}${version === undefined ? '' : ` ${version}`}`

/** A scope that `.npmrc` binds to a registry of its own, resolved from another host. */
function checkScope(
  file: ReadManifest,
  entry: Entry,
  url: URL,
  registries: ReadonlyMap<string, URL>,
): Suspicion | undefined {
  const scope = entry.name.startsWith('@') ? entry.name.slice(0, entry.name.indexOf('/')) : ''
  const own = scope === '' ? undefined : registries.get(scope)
  if (own === undefined || own.host === url.host) return undefined
  return {
    ...{ rule: 'dependency-confusion', severity: 'high', cwe: ['CWE-427'], file: file.file, line: entry.line },
    title: `Dependency confusion: ${nameOf(entry)} of a private scope from another registry`,
    message: `Whoever publishes ${entry.name} on ${url.host} runs code in this project: .npmrc binds ${scope} to ${own.host}, and the lock file takes the package from ${url.host}.`,
    remediation: `Check the package, remove the entry, and install again with the registry of ${scope}.`,
    subject: `${entry.name}@${entry.version} ${url.host}`,
  }
}

/** An address of a registry (`/<name>/-/<file>-<version>.tgz`) that is another package's, or another version's. */
function checkName(file: ReadManifest, entry: Entry, url: URL): Suspicion[] {
  const path = decodePath(url.pathname)
  const [, name, archive] = /\/((?:@[^/]+\/)?[^/@]+)\/-\/(?:@[^/]+\/)?([^/]+)\.tgz$/.exec(path) ?? []
  if (name === undefined || archive === undefined || entry.version === undefined) return []
  const short = entry.name.slice(entry.name.indexOf('/') + 1)
  const version = entry.version.replace(/\+.*$/, '')
  if (name === entry.name && (archive === `${short}-${version}` || archive === `${short}-${entry.version}`)) return []
  return [
    {
      ...{ rule: 'lock-file-other-package', severity: 'high', cwe: ['CWE-345'], file: file.file, line: entry.line },
      title: `Lock file entry downloads another package: ${nameOf(entry)}`,
      message: `An attacker who can change the lock file has any code installed under a trusted name: the entry of ${nameOf(entry)} downloads ${name} (${archive}).`,
      remediation: 'Restore the lock file from a trusted commit, or delete the entry and install again.',
      subject: `${entry.name}@${entry.version} ${name} ${archive}`,
    },
  ]
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function describeHost(file: ReadManifest, entry: Entry, url: URL): Suspicion {
  return {
    ...{ rule: 'lock-file-unexpected-host', severity: 'high', cwe: ['CWE-829'], file: file.file, line: entry.line },
    title: `Lock file entry from an unexpected host: ${nameOf(entry)}`,
    message: `An attacker who can change the lock file has code of their own installed: ${nameOf(entry)} comes from ${url.host}, unlike the other packages, and no manifest names this host.`,
    remediation: `Check where ${entry.name} comes from. If ${url.host} is a registry of yours, name it in .npmrc.`,
    subject: `${entry.name}@${entry.version} ${url.host}`,
    confidence: 0.8,
  }
}

function describePlain(file: ReadManifest, entry: Entry, url: URL): Suspicion {
  const hasDigest = (entry.hashes ?? []).some(({ algorithm }) => algorithm !== 'SHA-1' && algorithm !== 'MD5')
  return {
    ...{
      rule: 'lock-file-plain-http',
      severity: hasDigest ? 'low' : 'medium',
      cwe: ['CWE-319'],
      file: file.file,
      line: entry.line,
    },
    title: `Package downloaded over plain HTTP: ${nameOf(entry)}`,
    message: `An attacker on the network can see the download of ${nameOf(entry)} from ${url.host}${hasDigest ? '' : ', and replace it: the entry has no strong digest'}.`,
    remediation: 'Use the https address of the registry, and install again.',
    subject: `${entry.name}@${entry.version} ${url.host}`,
  }
}

function describeNoDigest(file: ReadManifest, entry: Entry): Suspicion {
  return {
    ...{ rule: 'lock-file-no-digest', severity: 'medium', cwe: ['CWE-494'], file: file.file, line: entry.line },
    title: `Lock file entry without a digest: ${nameOf(entry)}`,
    message: `An attacker who controls the registry or the network can replace ${nameOf(entry)}: its entry has no integrity digest, unlike the others.`,
    remediation: 'Delete the entry, and install again: the package manager adds the digest.',
    subject: `${entry.name}@${entry.version}`,
  }
}
