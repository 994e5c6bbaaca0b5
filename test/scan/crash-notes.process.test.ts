import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { perform } from '../../engine/scan/perform.ts'
import { surface } from '../made/call.ts'
import { project } from '../made/project.ts'

/** What this process has open. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap(name => {
    try {
      return readlinkSync(join('/proc/self/fd', name))
    } catch {
      return []
    }
  })
}

test.runIf(process.platform === 'linux')(
  'a scan leaves no note of what it was at open, for a process that goes on',
  async () => {
    const root = project({ 'a.py': 'import yaml\nyaml.load(input(), Loader=yaml.Loader)\n' })
    const { findings } = await perform({ repo_path: '.' }, surface(root).context)
    expect(findings).not.toEqual([])
    expect(openFiles().filter(path => path.includes('at-work-'))).toEqual([])
    expect(readdirSync(join(root, '.svc/local/cache')).filter(name => name.startsWith('at-work-'))).toEqual([])
  },
)
