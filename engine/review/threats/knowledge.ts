import type { Context } from '../../base/context.ts'
import type { Finding } from '../../base/records/finding.ts'
import { loadBuiltinRules } from '../../sources/packs/load.ts'
import { runWithStore } from '../../sources/store/open.ts'
import type { Knowledge } from './derive.ts'

/** Rules and findings named at one threat; of more the first by id. */
const MOST = 12
/** Findings of a run that are read. */
const MOST_FINDINGS = 10_000

export interface ReadKnowledge extends Knowledge {
  /** The run that findings come from; null where the repository was never scanned: findings are unknown then, not none. */
  run_id: string | null
  /** Open findings of the run. */
  findings: Finding[]
}

/** The rules of the packs by weakness, and the open findings of the last run. */
export async function readKnowledge(context: Pick<Context, 'cwd' | 'env' | 'notice'>): Promise<ReadKnowledge> {
  const rules = new Map<string, string[]>()
  for (const { id, cwe } of loadBuiltinRules())
    for (const each of cwe) rules.set(each, [...(rules.get(each) ?? []), id])
  const { run_id, findings } = await readFindings(context)
  const byCwe = new Map<string, Finding[]>()
  for (const finding of findings)
    for (const each of finding.cwe ?? []) byCwe.set(each, [...(byCwe.get(each) ?? []), finding])
  return {
    run_id,
    findings,
    rulesOf: cwe => [...new Set(cwe.flatMap(each => rules.get(each) ?? []))].sort().slice(0, MOST),
    findingsOf(cwe, isOf) {
      const found = cwe.flatMap(each => byCwe.get(each) ?? []).filter(({ file }) => isOf === undefined || isOf(file))
      return [...new Set(found.map(({ fingerprint }) => fingerprint))].sort().slice(0, MOST)
    },
  }
}

async function readFindings(
  context: Pick<Context, 'cwd' | 'env' | 'notice'>,
): Promise<{ run_id: string | null; findings: Finding[] }> {
  try {
    return await runWithStore(context, async store => {
      const page = await store.findings('latest', { limit: MOST_FINDINGS, status: 'open' })
      return { run_id: page.run_id, findings: page.findings as Finding[] }
    })
  } catch (error) {
    if ((error as { code?: string }).code === 'RUN_NOT_FOUND') return { run_id: null, findings: [] }
    throw error
  }
}
