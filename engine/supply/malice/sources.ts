import type { Ecosystem, Inventory } from '../inventory/component.ts'
import type { Entry, Parsed } from '../inventory/parsed.ts'
import { directoryOf } from '../inventory/paths.ts'
import { openStore, readStored } from '../licenses/local/disk.ts'

/** A manifest or lock file as it was read for the inventory. */
export interface ReadManifest {
  file: string
  format: string
  family: string
  kind: 'lock' | 'manifest'
  ecosystem: Ecosystem
  text: string
  parsed: Parsed
}

/** What the checks look at. */
export interface MaliceSources {
  root: string
  files: readonly ReadManifest[]
  inventory: Inventory
}

/** What a check found, before it is a finding. */
export interface Suspicion {
  /** The rule without its prefix: `typosquatting`. */
  rule: string
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info'
  title: string
  message: string
  remediation: string
  cwe: string[]
  file: string
  line?: number | undefined
  /** What the finding is about, for its fingerprint. */
  subject: string
  confidence?: number
}

/** Formats of npm's own lock files. */
export const NPM_LOCKS: ReadonlySet<string> = new Set(['npm-lock', 'npm-shrinkwrap'])

/** Lock files whose entries say the archive that was downloaded. */
export const ARCHIVE_LOCKS: ReadonlySet<string> = new Set(['npm-lock', 'npm-shrinkwrap', 'yarn-lock', 'pnpm-lock'])

/** Entries of a lock file that were downloaded over HTTP, with the address in parts. */
export function listDownloads({ parsed }: ReadManifest): { entry: Entry; url: URL }[] {
  return (parsed.entries ?? []).flatMap(entry => {
    if (entry.resolved === undefined || entry.vcs !== undefined || !/^https?:\/\//.test(entry.resolved)) return []
    try {
      return [{ entry, url: new URL(entry.resolved) }]
    } catch {
      return []
    }
  })
}

/** Registries that `.npmrc` beside a file, or in the root, names: the default under the empty scope. Addresses with variables are left out. */
export function readNpmrc(root: string, file: string): Map<string, URL> {
  const found = new Map<string, URL>()
  const store = openStore(root, '.')
  if (!store) return found
  for (const directory of new Set(['', directoryOf(file)]))
    for (const line of (readStored(store, directory, '.npmrc') ?? '').split(/\r?\n/)) {
      const [, scope = '', value = ''] = /^\s*(?:(@[^:\s]+):)?registry\s*=\s*["']?(\S+?)["']?\s*$/.exec(line) ?? []
      if (value === '' || value.includes('$')) continue
      try {
        found.set(scope, new URL(value))
      } catch {
        // An address that is none says nothing.
      }
    }
  return found
}
