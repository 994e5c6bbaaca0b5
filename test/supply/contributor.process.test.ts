import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../engine/sources/config/load.ts'
import { discover } from '../../engine/sources/repository/discover.ts'
import { contributeVulnerabilities } from '../../engine/supply/advisories/contribute.ts'
import { indexDatabase } from '../../engine/supply/advisories/source.ts'
import { folder } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { osvRecord } from './osv-server.ts'

describe('vulnerabilities in a scan', () => {
  it('are findings at the line of the manifest once the database is indexed, and not evaluated before', async () => {
    const database = folder({ 'a.json': JSON.stringify(osvRecord('GHSA-a', 'PyPI', 'a', '1.2.0')) })
    const root = project({
      'requirements.txt': 'b==1\na==1.0\n',
      '.svc/config.yaml': `vulns:\n  database: ${database}\n`,
    })
    const env = { XDG_CACHE_HOME: folder({}) }
    const signal = new AbortController().signal
    const config = await loadConfig(root, { env })
    const listing = await discover(root, { exclude: [], signal })
    const contribute = () => contributeVulnerabilities({ config, listing }, { cwd: root, env, signal })
    expect(await contribute()).toMatchObject({
      findings: [],
      notEvaluated: [{ rule_id: 'supply:vulnerabilities', reason: 'scanner_not_run' }],
    })
    await indexDatabase(database, { env, signal, onProgress: () => {} })
    expect(await contribute()).toMatchObject({
      findings: [
        { rule_id: 'supply:ghsa-a', category: 'dependency', file: 'requirements.txt', line: 2, severity: 'high' },
      ],
      notEvaluated: [],
    })
  })
})
