import type { CompiledRule } from '../rules/active-rules.ts'
import type { PathJudge } from '../rules/detector.ts'
import { PATH_JUDGES } from './path-judges.gen.ts'

const byType = new Map<string, PathJudge>(PATH_JUDGES.map(judge => [judge.type, judge]))

/** What judges the list of files by this rule; undefined for a rule that looks into files. */
export function findPathJudge(rule: CompiledRule): PathJudge | undefined {
  const judge = byType.get(rule.type)
  return judge?.isAboutPaths(rule) ? judge : undefined
}
