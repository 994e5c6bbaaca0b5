import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { appendQualityHistory } from '../../engine/quality/score/history.ts'

/** What pages show beside the runs: two quality scores, one dimension without data, and requirements whose code imports from another directory. */
export async function writeBeside({ cwd }: { cwd: string }): Promise<void> {
  const dimensions = { compliance: 40, complexity: 90.5, test_coverage: 0, documentation: 60, consistency: 98 }
  for (const [at, score] of [
    ['2026-02-02T10:00:00.000Z', 51.2],
    ['2026-02-05T10:00:00.000Z', 58.3],
  ] as const)
    await appendQualityHistory(join(cwd, 'out'), { at, score, dimensions: { ...dimensions, dependency_health: null } })
  for (const [path, text] of Object.entries({
    'requirements.yaml':
      'requirements:\n  - { id: REQ-1, title: "Users <b>log in</b>", files: ["src/*.js"] }\n  - { id: REQ-2, title: Orders are kept }\n',
    'src/login.js': "import { hash } from '../lib/hash.js'\nexport const login = hash\n",
    'lib/hash.js': 'export const hash = 1\n',
    'package.json': '{"name":"shop","version":"1.0.0","dependencies":{"left-pad":"^1.3.0"}}\n',
  })) {
    mkdirSync(join(cwd, path, '..'), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
}
