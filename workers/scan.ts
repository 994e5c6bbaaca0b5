import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { RuleSet } from '../engine/detect/file/rule-set.ts'
import type { CompiledRule } from '../engine/detect/rules/active-rules.ts'
import { registerGrammars } from '../engine/detect/syntax/grammar.ts'
import { type Batch, type BatchLimits, scanBatch } from '../engine/scan/batch.ts'
import { encodeRecords, type Records } from '../engine/scan/records.ts'
import { BlobReader } from '../engine/sources/repository/blobs.ts'

/** What the pool gives each worker once. */
export interface WorkerSetup {
  rules: CompiledRule[]
  limits: BatchLimits
  /** Languages that the scan's files have, so that no other parser is loaded. */
  languages: string[]
}

const { rules, limits, languages } = workerData as WorkerSetup
registerGrammars(languages)
const ruleSet = new RuleSet(rules)
/** Ends with the thread: git's input is closed then. */
let reader: BlobReader | undefined

/** One batch: the pool's task. The number columns are handed over, not copied. */
export default async function scan(batch: Batch): Promise<Records> {
  reader ??= new BlobReader(batch.root)
  const records = encodeRecords(await scanBatch(ruleSet, batch, limits, reader))
  const moved = { [transferableSymbol]: [records.files.buffer, records.matches.buffer], [valueSymbol]: records }
  return move(moved as never) as unknown as Records
}
