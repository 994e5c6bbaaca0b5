import { relative, resolve } from 'node:path'
import { ATTESTATION_ENDINGS } from '../base/records/attestation-files.ts'

/** Inputs that name a file or a directory to write, of whatever operation, with what is written for each; `-` is standard output. */
export const WRITTEN: Readonly<Record<string, (named: string) => readonly string[]>> = {
  attest: named => [named, `${named}.pub.pem`],
  badges: named => [named],
  cache_dir: named => [named],
  notices: named => [named],
  out: named => [named],
  output: named => [named],
  record: named => [named],
  sarif: named => [named],
  vex_output: named => [named],
}

/** Files that an operation writes beside the one that is named for its output, by the operation's id. */
const BESIDE: Readonly<Record<string, (named: string) => readonly string[]>> = {
  'assure.attest': named => ATTESTATION_ENDINGS.map(ending => `${named.replace(/\.json$/, '')}${ending}`),
}

/** What this input asks to be written, relative to `folder`: callers name files from where they stand (`cwd`). */
export function listWritten(input: unknown, cwd: string, folder: string, id = ''): string[] {
  const given = (input ?? {}) as Record<string, unknown>
  return Object.entries(WRITTEN).flatMap(([field, list]) => {
    const named = given[field]
    if (typeof named !== 'string' || named === '-') return []
    const beside = field === 'output' ? (BESIDE[id]?.(named) ?? []) : []
    return [...new Set([...list(named), ...beside])].map(path =>
      folder === cwd ? path : relative(folder, resolve(cwd, path)) || '.',
    )
  })
}
