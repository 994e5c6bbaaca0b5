import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { attestRun } from '../../../engine/assure/attest/create.ts'
import type { Attestation } from '../../../engine/assure/attest/document.ts'
import type { Finding } from '../../../engine/base/records/finding.ts'
import type { Run } from '../../../engine/base/records/run.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { openStore } from '../../../engine/sources/store/open.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import { context } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { finding, run } from '../../sources/store/make.ts'

/** A repository with a stored run, and a user of its own. */
export interface AttestedProject {
  root: string
  out: string
  run: Run
  findings: Finding[]
  env: Record<string, string>
  attest(
    more?: Partial<Parameters<typeof attestRun>[2]>,
    env?: Record<string, string>,
  ): Promise<{ attestation: Attestation; files: string[] }>
}

export const RUN_ID = '20250101-000000-000010'

/** Three findings, one control of each state, and a gate that failed. */
export async function attestedProject(more: Partial<Run> = {}): Promise<AttestedProject> {
  const root = project({ 'src/a.py': 'eval(x)\n', '.gitignore': 'out/\n.svc/local/\n' })
  const out = join(root, 'out')
  const git_sha = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root }).toString().trim()
  const findings = [finding(1), finding(2, { status: 'baseline' }), finding(3, { status: 'suppressed' })]
  const stored = run(RUN_ID, findings, {
    git_sha,
    gate: { passed: false, reasons: ['1 open'], policy_sha256: 'ab'.repeat(32) },
    frameworks: [framework()],
    ...more,
  })
  await writeRun(out, stored, findings, [])
  const env = { XDG_STATE_HOME: join(folder(), 'state') }
  return {
    ...{ root, out, run: stored, findings, env },
    async attest(request = {}, own = {}) {
      const all = { ...env, ...own }
      const config = await loadConfig(root, { env: all })
      const store = await openStore(out)
      const asked = {
        root,
        file: join(out, 'attestation.json'),
        config,
        notarize: false,
        slsa: false,
        cyclonedx: false,
        ...request,
      }
      try {
        return await attestRun(store, 'latest', asked, context(root, { env: all }))
      } finally {
        store.close()
      }
    },
  }
}

function framework(): NonNullable<Run['frameworks']>[number] {
  const control = (
    id: string,
    state: 'met' | 'violated' | 'manual' | 'not_applicable',
    not_evaluated: string[] = [],
  ) => ({
    ...{ id, title: `Control ${id}`, state, because: `It is ${state}.`, checked: 2, not_evaluated, without_files: 0 },
    ...{ findings: state === 'violated' ? 1 : 0, accepted: 0, obligations: [] },
  })
  return {
    ...{ id: 'made', name: 'Made 2025', pack_id: 'made', pack_version: '1.0.0' },
    counts: { met: 2, violated: 1, manual: 1, not_applicable: 1, not_evaluated: 0 },
    coverage: 66.7,
    controls: [
      control('A1', 'met'),
      control('A2', 'met', ['py-eval']),
      control('B1', 'violated'),
      control('C1', 'manual'),
      control('D1', 'not_applicable'),
    ],
  }
}
