import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { RuleSet } from '../engine/detect/file/rule-set.ts'
import { registerGrammars } from '../engine/detect/syntax/grammar.ts'
import { scanBatch } from '../engine/scan/batch.ts'
import type { WorkerTask } from '../engine/scan/pool.ts'
import { encodeRecords, type Records } from '../engine/scan/records.ts'
import type { RunnerSetup } from '../engine/scan/runner.ts'
import { performTask, type Task } from '../engine/scan/tasks.ts'
import { BlobReader } from '../engine/sources/repository/blobs.ts'

// What the pool gives each worker once.
const { rules, limits, root, measures, notes } = workerData as RunnerSetup
registerGrammars()
const ruleSet = new RuleSet(rules)
/** Ends with the thread: git's input is closed then. */
const reader = new BlobReader(root)

/** What the pool asks of a thread: to scan a batch, or to work on files once all were scanned. */
export default function work(task: WorkerTask | Task): Promise<unknown> {
  return 'batch' in task ? scan(task) : performTask(task, rules)
}

/** The number columns are handed over, not copied. */
async function scan({ batch, beat }: WorkerTask): Promise<Records> {
  const records = encodeRecords(await scanBatch(batch, { rules: ruleSet, root, limits, measures, notes, reader, beat }))
  const moved = { [transferableSymbol]: [records.files.buffer, records.matches.buffer], [valueSymbol]: records }
  return move(moved as never) as unknown as Records
}
