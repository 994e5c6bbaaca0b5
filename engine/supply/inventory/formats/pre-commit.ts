import type { Declaration, Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { LineSearch } from '../syntax/lines.ts'
import { asText, requireFields, requireList } from '../syntax/shape.ts'
import { readYaml } from '../syntax/yaml.ts'
import { nameRepository } from './submodules.ts'

/** Reads .pre-commit-config.yaml: repositories of hooks with the revision that is checked out. */
export function parse(text: string, file: string): Parsed {
  const settings = requireFields(readYaml(text)[0], 'the file')
  const lines = new LineSearch(text)
  const declares = requireList(settings.repos, 'repos').flatMap((each): Declaration[] => {
    const fields = requireFields(each, 'repo')
    const [url, revision] = [asText(fields.repo), asText(fields.rev)]
    if (url === undefined || url === 'local' || url === 'meta') return []
    const line = lines.find(each => each.includes('repo:') && each.includes(url))
    return [
      {
        ...nameRepository(url),
        scope: 'development',
        kind: 'hook',
        resolved: url,
        line,
        ...(revision !== undefined && { version: revision }),
      },
    ]
  })
  return { projects: [{ directory: directoryOf(file), name: 'pre-commit', declares }] }
}
