import { compareFindings, type Finding } from '../../base/records/finding.ts'
import { type ImportOptions, importSarif, type SarifImport } from '../../findings/import-sarif.ts'
import type { MergedResult } from './merge.ts'
import { CPP_TOOLS } from './results.ts'

/** Everything that importing needs of the repository, but the scanner's name. */
export type CppGround = Omit<ImportOptions, 'name'>

/**
 * Findings of the results, placed and identified as those of any other scanner are: rule `cppcheck:<id>` or `clang-tidy:<check>`. What
 * lies outside the repository or in excluded files is left out.
 */
export function makeCppFindings(results: readonly MergedResult[], ground: CppGround): Finding[] {
  const findings = CPP_TOOLS.flatMap(tool => {
    const own = results.filter(result => result.tool === tool)
    const also = new Map(own.flatMap(result => (result.also ? [[keyOf(tool, result), result.also]] : [])))
    const imported: SarifImport = importSarif(JSON.stringify(makeLog(tool, own)), { ...ground, name: tool })
    return imported.findings.map(finding => {
      const names = also.get(keyOf(tool, { ...finding, check: finding.rule_id.slice(tool.length + 1) }))
      return names ? { ...finding, also: names } : finding
    })
  })
  return findings.sort(compareFindings)
}

function keyOf(
  tool: string,
  { check, file, line, message }: Pick<MergedResult, 'check' | 'file' | 'line' | 'message'>,
) {
  return [tool, check, file, line, message].join('\0')
}

/** The results as a SARIF 2.1.0 log, which importing reads. */
function makeLog(tool: string, results: readonly MergedResult[]): object {
  return {
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: tool,
            rules: [...new Set(results.map(({ check }) => check))].map(id => ({ id, helpUri: helpUri(tool, id) })),
          },
        },
        results: results.map(({ check, message, severity, cwe, file, line, column }) => ({
          ruleId: check,
          message: { text: message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(file) },
                region: { startLine: line, startColumn: column },
              },
            },
          ],
          properties: { severity, ...(cwe && { cwe }) },
        })),
      },
    ],
  }
}

/** Where a check is documented. */
function helpUri(tool: string, check: string): string {
  if (tool === 'cppcheck') return 'https://cppcheck.sourceforge.io/manual.html'
  if (check.startsWith('clang-diagnostic-')) return 'https://clang.llvm.org/docs/DiagnosticsReference.html'
  if (check.startsWith('clang-analyzer-')) return 'https://clang.llvm.org/docs/analyzer/checkers.html'
  const [, group, name] = /^([a-z0-9]+)-(.*)$/.exec(check) ?? ['', '', '']
  return `https://clang.llvm.org/extra/clang-tidy/checks/${group}/${name}.html`
}
