import { type } from 'arktype'
import { countBySeverity } from '../../base/records/finding.ts'
import { FindingType } from '../../base/records/finding-schema.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { runCppAnalysis } from '../../external/cpp/run.ts'
import { TOOL_CHOICES } from '../../external/cpp/tools.ts'
import { compareBySeverity } from '../../findings/by-rule.ts'
import { formatFindingLine, formatSeverities } from '../../findings/line.ts'

/** Lines that a person is shown of either list. */
const MOST_LINES = 20

/** Runs clang-tidy and cppcheck over the C and C++ sources; the findings join the scans that follow. */
export default defineOperation({
  id: 'external.analyze-cpp',
  summary: 'Analyze C and C++ sources with clang-tidy and cppcheck, and include the findings in scans.',
  effect: 'write',
  action: 'run_scan',
  cli: 'analyze-cpp',
  rest: null,
  mcp: null,
  short: { tool: 't', files: 'f', output: 'o' },
  examples: [
    ['svc analyze-cpp', 'run what is installed'],
    ['svc analyze-cpp --tool cppcheck --files src', 'analyze a directory with cppcheck alone'],
    ["svc analyze-cpp --checks 'bugprone-*,nullPointer*'", 'select checks of both analyzers'],
    ['svc analyze-cpp && svc gate', 'have the findings judged by the gate'],
  ],
  input: type({
    tool: type
      .enumerated(...TOOL_CHOICES)
      .configure({ description: 'clang-tidy, cppcheck, both, or auto: those that are installed' }, 'self')
      .default('auto'),
    'checks?': type('string > 0').describe(
      'checks separated by commas: names of either analyzer, * for any part of a name, - before a check to leave out, or classes of cppcheck such as style (default: checks for defects)',
    ),
    'files?': type('string[]').describe('files, directories or globs from the root (default: every source)'),
    'output?': type('string > 0').describe('the file to write (default: cpp_findings.json in the output directory)'),
    'jobs?': type('1 <= number.integer <= 256').describe('processes, 1 to 256 (default: one per processor)'),
    '+': 'reject',
  }),
  output: type({
    tools: type({ name: 'string', version: 'string' }).array(),
    compile_commands: type('string | null').describe('the compilation database, or null where flags were made'),
    files: type('number.integer').describe('the number of sources analyzed'),
    files_not_evaluated: type('number.integer').describe('the number of sources that an analyzer did not evaluate'),
    not_evaluated: type({ rule_id: 'string', 'file?': 'string', reason: 'string', 'detail?': 'string' }).array(),
    findings: FindingType.array(),
    nolint: type('number.integer').describe('the number of results that NOLINT comments suppress'),
    file: type('string').describe('the file that was written'),
  }),

  run: (input, context) => runCppAnalysis(input, context),

  text({ tools, files, files_not_evaluated, not_evaluated, findings, nolint, file }, { paint, verbose }) {
    const shown = <T>(list: readonly T[]) => (verbose ? list : list.slice(0, MOST_LINES))
    const more = (list: readonly unknown[]) =>
      !verbose && list.length > MOST_LINES && paint('dim', `… ${list.length - MOST_LINES} more in ${file}`)
    const asked = tools.map(({ name, version }) => `${name} ${version}`).join(' and ')
    const gaps = not_evaluated.map(
      gap =>
        `${paint('yellow', 'not evaluated')}  ${escapeInvisibleLine(gap.file ?? '')}  ${paint('dim', gap.rule_id)}  ${gap.detail ?? gap.reason}`,
    )
    return [
      ...shown([...findings].sort(compareBySeverity)).map(finding => formatFindingLine(finding, { paint })),
      more(findings),
      ...shown(gaps),
      more(gaps),
      `${formatCount(files, 'source')} analyzed with ${asked}: ${formatSeverities(countBySeverity(findings), { paint })}.`,
      files_not_evaluated > 0 && `${formatCount(files_not_evaluated, 'source')} not evaluated by every analyzer.`,
      nolint > 0 && `${formatCount(nolint, 'result')} suppressed by NOLINT comments.`,
      `Written to ${file}; \`svc scan\` and \`svc gate\` include the findings.`,
    ]
      .filter(Boolean)
      .join('\n')
  },
})
