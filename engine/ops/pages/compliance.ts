import { type } from 'arktype'
import type { Assessment } from '../../assure/controls/assessment.ts'
import { describeInputs, loadAssessment } from '../../assure/controls/load.ts'
import { StateCountsType } from '../../assure/documents/schema.ts'
import { CheckedEvidenceType } from '../../assure/evidence/schema.ts'
import { defineOperation } from '../../door/operation.ts'
import { FileState } from '../../pages/file-state.ts'
import { keepAnswer } from '../../pages/kept.ts'
import { readSection } from '../../pages/section.ts'
import { sectionType } from '../../pages/section-schema.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { listDeadlines } from '../../sources/packs/deadlines.ts'
import { DatedDeadlineType } from '../../sources/packs/deadlines-schema.ts'
import { loadPacks } from '../../sources/packs/load.ts'

const Control = type({
  id: 'string',
  title: 'string',
  meaning: 'string',
  state: "'met' | 'violated' | 'manual' | 'not_applicable' | 'not_evaluated'",
  reason: 'string',
  rules: 'number.integer',
  findings: 'number.integer',
  files: type('string[]').describe('the first files with findings'),
  evidence: CheckedEvidenceType.array(),
})

const Framework = type({
  id: 'string',
  name: 'string',
  edition: 'string',
  counts: StateCountsType,
  'coverage?': type('number').describe('met / (met + violated) in percent'),
  complete: 'boolean',
  caveats: 'string[]',
  controls: Control.array(),
})

const Data = type({ run_id: 'string', generated_at: 'string', frameworks: Framework.array() })
const FILES = 5

/** Frameworks of the latest run with each control, what stands behind it, and the dates that are ahead. */
export default defineOperation({
  id: 'pages.compliance',
  summary: 'Return the compliance page: frameworks, controls, evidence, gaps and deadlines.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/pages/compliance',
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    assessment: sectionType(Data),
    deadlines: DatedDeadlineType.array(),
  }),

  async run(_input, context) {
    const config = await loadConfig(context.cwd, { env: context.env })
    const enabled = new Set(config.packs.enable.filter(id => !config.packs.disable.includes(id)))
    const today = new Date().toISOString().slice(0, 10)
    const deadlines = listDeadlines(await loadPacks(config.root), enabled, today).filter(each => each.enabled)
    const assessment = await readSection(
      { reason: 'This repository has not been scanned yet.', command: 'svc scan' },
      async () => {
        const state = new FileState()
        const { values, files } = await describeInputs(context)
        for (const path of files) state.addFile(path)
        state.add(values).addSettings(config.root)
        return keepAnswer(`compliance ${config.root}`, state.digest(), async () =>
          describe(await loadAssessment(context, { run_id: 'latest' })),
        )
      },
    )
    return { assessment, deadlines }
  },

  text: ({ assessment }) => `compliance: ${assessment.state}`,
})

function describe({ run, generated_at, frameworks }: Assessment): typeof Data.infer {
  return {
    ...{ run_id: run.id, generated_at },
    frameworks: frameworks.map(({ id, name, edition, counts, coverage, complete, caveats, controls }) => ({
      ...{ id, name, edition, counts, complete, caveats },
      ...(coverage !== undefined && { coverage }),
      controls: controls.map(control => ({
        ...{ id: control.id, title: control.title, meaning: control.meaning, state: control.state },
        ...{ reason: control.reason, rules: control.rules.length, findings: control.findings.length },
        files: [...new Set(control.findings.slice(0, 100).map(({ file }) => file))].slice(0, FILES),
        evidence: control.evidence,
      })),
    })),
  }
}
