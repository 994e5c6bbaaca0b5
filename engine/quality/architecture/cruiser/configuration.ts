import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Fault } from '../../../base/errors.ts'
import { parseYaml } from '../../../sources/config/parse.ts'
import { refuseConfig } from '../../../sources/config/validate.ts'
import { readExport } from './literal.ts'
import type { CruiserRules, PathTest, Untranslated } from './rules.ts'
import { translateRules } from './translate.ts'

/** Where dependency-cruiser looks for its rules, in its order. */
const PATHS = [
  '.dependency-cruiser.json',
  '.dependency-cruiser.js',
  '.dependency-cruiser.cjs',
  '.dependency-cruiser.mjs',
]
/** Files whose answers are kept, for each expression. */
const MOST_KEPT = 100_000

/** The path of a repository's dependency-cruiser configuration, relative to its root; undefined where it has none. */
export function findCruiserPath(root: string): string | undefined {
  return PATHS.find(path => existsSync(join(root, path)))
}

/** Whether a file of rules is dependency-cruiser's, by its name. */
export function isCruiserFile(name: string): boolean {
  return /\.(?:json|[cm]?js)$/.test(name)
}

/**
 * The rules in the bytes of a dependency-cruiser configuration, JSON or a script, and what of it has no counterpart. A script is read and never run.
 * CONFIG_INVALID with file and line where it cannot be read.
 */
export async function parseCruiserFile(
  bytes: Uint8Array,
  file: string,
): Promise<{ rules: CruiserRules; untranslated: Untranslated[] }> {
  const text = new TextDecoder().decode(bytes)
  const value = file.endsWith('.json') ? parseJson(text, file) : await parseScript(text, file)
  const { RE2JS } = await import('./library.ts')
  return translateRules(value, expression => {
    const compiled = RE2JS.compile(expression)
    return remember(path => compiled.test(path))
  })
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const { faults } = parseYaml(Buffer.from(text), file)
    const place = faults[0]?.place ?? { file, line: 1, column: 1 }
    throw refuse({ message: 'The file is not JSON.', place })
  }
}

async function parseScript(text: string, file: string): Promise<unknown> {
  const { parseSyntax } = await import('../../../detect/syntax/parsed.ts')
  const parsed = parseSyntax('javascript', text)
  const value = 'root' in parsed ? readExport(parsed.root) : undefined
  if (value === undefined)
    throw refuse({
      message:
        'The script exports nothing that can be read: svc reads `module.exports = {…}` or `export default {…}` without running it.',
      place: { file, line: 1, column: 1 },
    })
  return value
}

function refuse(fault: Fault) {
  return refuseConfig(
    [fault],
    'Correct the file, or write architecture.yaml (`svc check-arch --init`), which is read instead.',
  )
}

function remember(test: PathTest): PathTest {
  const known = new Map<string, boolean>()
  return path => {
    let answer = known.get(path)
    if (answer === undefined) {
      answer = test(path)
      if (known.size < MOST_KEPT) known.set(path, answer)
    }
    return answer
  }
}
