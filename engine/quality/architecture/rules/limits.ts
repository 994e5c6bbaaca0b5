import { formatCount } from '../../../base/text/words.ts'
import { type ImportGraph, listEdges, listSources } from '../graph.ts'
import type { ArchitectureRules, LimitRule } from '../rules.ts'
import { markFiles } from '../scope.ts'
import { makeFileViolation, type Violation } from '../violation.ts'

/** How many files import each file, and how many each imports; every file counts once. */
export function countFans(graph: ImportGraph): { fanIn: Int32Array; fanOut: Int32Array } {
  const fanIn = new Int32Array(graph.paths.length)
  const fanOut = new Int32Array(graph.paths.length)
  const seen = new Set<number>()
  for (const { from, to, kind } of listEdges(graph)) {
    if (to === undefined || kind === 'declare') continue
    const [own, other] = [graph.units[from]!, graph.units[to]!]
    const key = own * graph.paths.length + other
    if (own === other || seen.has(key)) continue
    seen.add(key)
    fanIn[other]!++
    fanOut[own]!++
  }
  return { fanIn, fanOut }
}

/** Files that more files import than a limit allows, or that import more. */
export function findLimitViolations(graph: ImportGraph, { limits = [] }: ArchitectureRules): Violation[] {
  if (limits.length === 0) return []
  const { fanIn, fanOut } = countFans(graph)
  return limits.flatMap(rule => {
    const isIn = markFiles(graph, rule)
    return listSources(graph)
      .filter(file => isIn[file] && graph.units[file] === file)
      .flatMap(file => {
        const found: Violation[] = []
        const path = graph.paths[file]!
        if (rule.fan_in !== undefined && fanIn[file]! > rule.fan_in)
          found.push(
            makeFileViolation(
              graph,
              file,
              makeHeading(rule, 'Fan-in limit exceeded', 'Split the file by what its importers need.'),
              `${formatCount(fanIn[file]!, 'file')} import ${path}; the limit is ${rule.fan_in}.`,
            ),
          )
        if (rule.fan_out !== undefined && fanOut[file]! > rule.fan_out)
          found.push(
            makeFileViolation(
              graph,
              file,
              makeHeading(rule, 'Fan-out limit exceeded', 'Split the file, or import through fewer files.'),
              `${path} imports ${formatCount(fanOut[file]!, 'file')}; the limit is ${rule.fan_out}.`,
            ),
          )
        return found
      })
  })
}

function makeHeading(rule: LimitRule, title: string, remediation: string) {
  return { rule: rule.name ?? 'limits', title, told: rule, severity: 'low' as const, remediation }
}
