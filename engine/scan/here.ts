import { RuleSet } from '../detect/file/rule-set.ts'
import { registerGrammars } from '../detect/syntax/grammar.ts'
import { BlobReader } from '../sources/repository/blobs.ts'
import { type FileReport, scanBatch } from './batch.ts'
import { optimizeLater } from './optimize-later.ts'
import type { Batch, BatchResult, Runner, RunnerSetup } from './runner.ts'

/**
 * Scans batches in this thread, one after the other: for scans so small that a thread would cost more than it gains. As on
 * the pool, a file on which the scan throws takes no other file with it: it is tried once more alone, then given up as `crashed`.
 */
export class LocalRunner implements Runner {
  readonly width = 1
  readonly #setup: RunnerSetup
  readonly #signal: AbortSignal
  readonly #rules: RuleSet
  #reader: BlobReader | undefined

  constructor(setup: RunnerSetup, signal: AbortSignal) {
    optimizeLater()
    registerGrammars()
    this.#setup = setup
    this.#signal = signal
    this.#rules = new RuleSet(setup.rules)
  }

  async run(batch: Batch): Promise<BatchResult> {
    const signal = this.#signal
    signal.throwIfAborted()
    const { root, limits, measures, notes } = this.#setup
    this.#reader ??= new BlobReader(root)
    let reports: FileReport[]
    try {
      reports = await scanBatch(batch, {
        ...{ rules: this.#rules, root, limits, measures, notes, reader: this.#reader },
        live: () => !signal.aborted,
      })
    } catch (error) {
      const [first] = batch.files
      if (batch.files.length === 1)
        return { reports: [], skips: [{ path: first!.path, reason: 'crashed', detail: (error as Error).message }] }
      const each: BatchResult = { reports: [], skips: [] }
      for (const file of batch.files) {
        const { reports, skips } = await this.run({ ...batch, files: [file] })
        each.reports.push(...reports)
        each.skips.push(...skips)
      }
      return each
    }
    signal.throwIfAborted()
    return { reports, skips: [] }
  }

  async close(): Promise<void> {
    this.#reader?.close()
  }
}
