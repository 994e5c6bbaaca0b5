import { expect, test, vi } from 'vitest'
import { nameRequirementFilter } from '../../../engine/delivery/requirements/collect.ts'
import requirements from '../../../engine/delivery/requirements/contributor.ts'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { folder } from '../../made/folder.ts'

test('filters of other globs have other names, so that what was kept for one is not the answer of the other', () => {
  expect(nameRequirementFilter([])).toBe(nameRequirementFilter())
  expect(nameRequirementFilter(['a.csv'])).not.toBe(nameRequirementFilter([]))
  expect(nameRequirementFilter(['a', 'b'])).not.toBe(nameRequirementFilter(['a,b']))
})

test('the paths of a repository without requirements are asked for by name, which a scan after a change need not ask again', async () => {
  const root = folder({ '.svc/config.yaml': 'requirements:\n  files: [specs/*.csv]\n' })
  const config = await loadConfig(root, { env: {} })
  const selectFiles = vi.fn(() => [])
  const listing = { root, kind: 'git' as const, files: [], skipped: [] }
  const request = { config, listing, selectFiles, scope: 'src', dry_run: true, searched: () => Promise.reject() }
  await requirements.run(request as never, { signal: new AbortController().signal } as never)
  expect(selectFiles).toHaveBeenCalledWith(expect.any(Function), nameRequirementFilter(['specs/*.csv']))
})
