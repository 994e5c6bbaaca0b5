import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import migrate from '../../../engine/ops/config/migrate.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'

import { context, refusal } from '../../made/call.ts'
import { repository } from '../../made/project.ts'

const CONFIG = '.svc/config.yaml'
const read = (root: string, path = CONFIG) => readFileSync(join(root, path), 'utf8')

describe('migrate', () => {
  test('moves the legacy file as it is', async () => {
    const text = '# ours\r\nhistory: { keep: 3 }\r\n'
    const root = repository({ '.guard.yaml': text })
    await migrate.run({}, context(root))
    expect([read(root), existsSync(join(root, '.guard.yaml'))]).toEqual([text, false])
    expect((await loadConfig(root)).notices).toEqual([])
  })

  test('refuses when there is nothing to move, when both are there, and when it is not valid', async () => {
    const code = async (files: Record<string, string>) =>
      (await refusal(() => migrate.run({}, context(repository(files))))).code
    expect(await code({})).toBe('NOT_FOUND')
    expect(await code({ '.guard.yaml': '', [CONFIG]: '' })).toBe('CONFLICT')
    expect(await code({ '.guard.yaml': 'gaet: 1\n' })).toBe('CONFIG_INVALID')
  })
})
