import { statSync } from 'node:fs'
import { join } from 'node:path'
import { detectLanguage, isTestPath } from '../../engine/base/languages/languages.ts'
import type { SourceFile } from '../../engine/base/records/source-file.ts'
import { RuleSet } from '../../engine/detect/file/rule-set.ts'
import { registerGrammars } from '../../engine/detect/syntax/grammar.ts'
import { type FileReport, scanBatch } from '../../engine/scan/batch.ts'
import { MAX_PARSE_BYTES } from '../../engine/scan/search-files.ts'
import { loadBuiltinPacks } from '../../engine/sources/packs/load.ts'
import { BlobReader } from '../../engine/sources/repository/blobs.ts'
import { realPaths } from './checkout.ts'
import { ROOT, type Soaked } from './program.ts'

/** So short that files are broken off in all places, also in what is found out once for all of them. */
const DEADLINES_MS = [0.5, 1, 2, 4, 8]

/** Real files, again and again by rules that know nothing yet, under a clock that breaks them off: each comes to what it comes to without, or says that it was stopped. */
export async function clock({ rounds, files: most }: { rounds: number; files: number }): Promise<Soaked> {
  registerGrammars()
  const files = realPaths(most).map(
    (path): SourceFile => ({
      path,
      size: statSync(join(ROOT, path)).size,
      language: detectLanguage(path),
      in_test: isTestPath(path),
    }),
  )
  const rules = loadBuiltinPacks().flatMap(pack => pack.rules)
  const reader = new BlobReader(ROOT)
  const scanned = async (rule_deadline_ms: number) =>
    scanBatch(
      { files },
      {
        rules: new RuleSet(rules),
        root: ROOT,
        limits: {
          max_file_bytes: 1 << 24,
          rule_deadline_ms,
          file_deadline_ms: 600_000,
          max_parse_bytes: MAX_PARSE_BYTES,
        },
        reader,
      },
    )
  const soaked: Soaked = { tried: 0, faults: [], figures: { stopped: 0 } }
  try {
    const truth = (await scanned(600_000)).map(textOf)
    for (let round = 0; round < rounds; round++) {
      for (const ms of DEADLINES_MS) {
        const reports = await scanned(ms).catch((error: Error) => error)
        soaked.tried++
        if (reports instanceof Error) soaked.faults.push(`within ${ms} ms: ${reports.message}`)
        else
          for (const [index, report] of reports.entries()) {
            if (isStopped(report)) soaked.figures.stopped = Number(soaked.figures.stopped) + 1
            else if (textOf(report) !== truth[index])
              soaked.faults.push(`${report.file.path} within ${ms} ms: it differs`)
          }
      }
    }
  } finally {
    reader.close()
  }
  return soaked
}

function isStopped({ skip, outcome }: FileReport): boolean {
  return skip?.reason === 'timed_out' || (outcome?.failures.some(({ reason }) => reason === 'timed_out') ?? false)
}

/** What a file comes to; the order in which its rules were evaluated aside. */
function textOf({ file, skip, outcome }: FileReport): string {
  const matches = outcome?.matches.map(match => JSON.stringify(match)).sort()
  return JSON.stringify([file.path, skip, outcome?.pass, matches, outcome?.failures.length])
}
