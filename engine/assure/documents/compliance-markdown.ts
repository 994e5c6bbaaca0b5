import { groupDigits } from '../../base/text/words.ts'
import type { AssessedControl, AssessedFramework, Assessment } from '../controls/assessment.ts'
import { describeRun } from '../controls/provenance.ts'
import { STATE_WORDS } from '../reports/coverage-text.ts'
import { cellCode, code, plain } from '../reports/markdown-text.ts'
import { describeCompleteness, describeCoverage, formatTime, NO_CERTIFICATE } from './wording.ts'

/** The compliance report as Markdown. */
export function* renderComplianceMarkdown({
  run,
  digests,
  frameworks,
  evidence,
  generated_at,
}: Assessment): Iterable<string> {
  const { population, period, tool, input, output } = describeRun(run, digests)
  yield `# Compliance report: ${plain(run.root_name)}\n\n${NO_CERTIFICATE}\n\n`
  yield `- Run: ${code(run.id)}, document dated ${formatTime(generated_at)}\n`
  yield `- Population: ${plain(population, 1000)}\n- Period: ${formatTime(period.from)} to ${formatTime(period.to)}\n`
  yield `- Tool: ${plain(tool)}\n- Input: ${plain(input, 2000)}\n- Output: ${plain(output, 1000)}\n\n`
  yield '| Framework | Coverage | Met | Violated | Manual | Not evaluated | Not applicable |\n|---|---:|---:|---:|---:|---:|---:|\n'
  for (const { name, coverage, counts } of frameworks)
    yield `| ${plain(name)} | ${coverage === undefined ? '–' : `${coverage} %`} | ${[counts.met, counts.violated, counts.manual, counts.not_evaluated, counts.not_applicable].map(groupDigits).join(' | ')} |\n`
  for (const framework of frameworks) yield* renderFramework(framework)
  if (evidence.length === 0) return
  yield '\n## Evidence of people\n\n| Evidence | Control | Person | Observed | Expires | State |\n|---|---|---|---|---|---|\n'
  for (const each of evidence)
    yield `| ${plain(each.title)} (${cellCode(each.file ?? each.url!)}) | ${cellCode(each.control)} | ${plain(each.owner)} | ${each.observed_at} | ${each.expires ?? '–'} | ${plain(`${each.state.replaceAll('_', ' ')}: ${each.reason}`, 300)} |\n`
}

function* renderFramework(framework: AssessedFramework): Iterable<string> {
  yield `\n## ${plain(framework.name)}\n\n**${describeCoverage(framework)}.** ${describeCompleteness(framework)}\n\n`
  for (const caveat of framework.caveats) yield `- ${plain(caveat, 400)}\n`
  yield '\n| Control | State | Reason | Rules evaluated | Findings |\n|---|---|---|---:|---:|\n'
  for (const control of framework.controls) yield renderControl(control)
}

function renderControl({ id, title, state, reason, rules, findings }: AssessedControl): string {
  const ran = rules.filter(({ outcome }) => outcome === 'evaluated').length
  const open = findings.filter(({ status }) => status !== 'suppressed').length
  return `| ${cellCode(id)} ${plain(title)} | ${STATE_WORDS[state]} | ${plain(reason, 400)} | ${groupDigits(ran)} of ${groupDigits(rules.length)} | ${groupDigits(open)} |\n`
}
