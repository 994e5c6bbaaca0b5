import type { SourceFile } from '../repository/source-file.ts'
import { registerGrammars } from '../rules/grammar.ts'
import { type CompiledRule, RuleSet } from '../rules/rule-set.ts'
import { type BatchLimits, type FileReport, scanBatch } from './batch.ts'

/** Scans batches in this thread, one after the other: for scans so small that a thread would cost more than it gains. */
export async function scanHere(
  rules: readonly CompiledRule[],
  batches: readonly { root: string; files: SourceFile[]; contents?: Record<string, string> }[],
  limits: BatchLimits,
  signal: AbortSignal,
  take: (reports: FileReport[]) => void,
): Promise<void> {
  registerGrammars()
  const ruleSet = new RuleSet(rules)
  for (const batch of batches) {
    signal.throwIfAborted()
    const reports = await scanBatch(ruleSet, batch, limits, () => !signal.aborted)
    signal.throwIfAborted()
    take(reports)
  }
}
