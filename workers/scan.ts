import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { BlobReader } from '../engine/repository/blobs.ts'
import { registerGrammars } from '../engine/rules/grammar.ts'
import { type CompiledRule, RuleSet } from '../engine/rules/rule-set.ts'
import { type Batch, type BatchLimits, scanBatch } from '../engine/scan/batch.ts'
import { encodeRecords, type Records } from '../engine/scan/records.ts'

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
