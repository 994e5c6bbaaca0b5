import { relative, resolve } from 'node:path'

/** Inputs that name a file or a directory to write, of whatever operation, with what is written for each; `-` is standard output. */
export const WRITTEN: Readonly<Record<string, (named: string) => readonly string[]>> = {
  attest: named => [named, `${named}.pub.pem`],
  badges: named => [named],
  notices: named => [named],
  out: named => [named],
  output: named => [named],
  record: named => [named],
  vex_output: named => [named],
}

/** What this input asks to be written, relative to `folder`: callers name files from where they stand (`cwd`). */
export function listWritten(input: unknown, cwd: string, folder: string): string[] {
  const given = (input ?? {}) as Record<string, unknown>
  return Object.entries(WRITTEN).flatMap(([field, list]) => {
    const named = given[field]
    if (typeof named !== 'string' || named === '-') return []
    return list(named).map(path => (folder === cwd ? path : relative(folder, resolve(cwd, path)) || '.'))
  })
}
