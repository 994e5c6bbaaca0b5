import type { Skip } from '../base/records/source-file.ts'
import { RuleSet } from '../detect/file/rule-set.ts'
import type { CompiledRule } from '../detect/rules/active-rules.ts'
import { registerGrammars } from '../detect/syntax/grammar.ts'
import { BlobReader } from '../sources/repository/blobs.ts'
import { type Batch, type BatchLimits, type FileReport, scanBatch } from './batch.ts'

/** Files that are scanned together. */
type Job = Omit<Batch, 'beat'>

/**
 * Scans batches in this thread, one after the other: for scans so small that a thread would cost more than it gains. As on
 * the pool, a file on which the scan throws takes no other file with it: it is tried once more alone, then given up as `crashed`.
 */
export async function scanHere(
  rules: readonly CompiledRule[],
  batches: readonly Job[],
  limits: BatchLimits,
  signal: AbortSignal,
  take: (reports: FileReport[]) => void,
  giveUp: (skip: Skip) => void,
): Promise<void> {
  registerGrammars()
  const ruleSet = new RuleSet(rules)
  let reader: BlobReader | undefined
  const scan = async (job: Job): Promise<void> => {
    signal.throwIfAborted()
    let reports: FileReport[]
    reader ??= new BlobReader(job.root)
    try {
      reports = await scanBatch(ruleSet, job, limits, reader, () => !signal.aborted)
    } catch (error) {
      const [first] = job.files
      if (job.files.length === 1) giveUp({ path: first!.path, reason: 'crashed', detail: (error as Error).message })
      else for (const file of job.files) await scan({ ...job, files: [file] })
      return
    }
    signal.throwIfAborted()
    take(reports)
  }
  try {
    for (const batch of batches) await scan(batch)
  } finally {
    reader?.close()
  }
}
