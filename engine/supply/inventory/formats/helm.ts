import { type Declaration, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { LineSearch } from '../syntax/lines.ts'
import { asFields, asText, requireFields, requireList } from '../syntax/shape.ts'
import { readYaml } from '../syntax/yaml.ts'
import { parse as parseRequirements } from './requirements.ts'

/** Reads Chart.yaml and Chart.lock, and the older requirements.yaml and requirements.lock. */
export function parse(text: string, file: string): Parsed {
  // Rye writes a file of this name too, in the form of pip.
  if (file.endsWith('requirements.lock') && !/^(dependencies|digest|generated):/m.test(text)) return readRye(text, file)
  const content = requireFields(readYaml(text)[0], file)
  if (file.endsWith('.lock') && content.digest === undefined)
    throw new ManifestFault('it has no digest: the file ends too early')
  const lines = new LineSearch(text)
  lines.find(line => line.startsWith('dependencies:'))
  const items = requireList(content.dependencies, 'dependencies').map(each => {
    const fields = requireFields(each, 'dependency')
    const [name, version, repository] = [asText(fields.name), asText(fields.version), asText(fields.repository)]
    if (name === undefined) throw new ManifestFault('a dependency has no name')
    const line = lines.find(each => /^\s*(?:-\s*)?name:/.test(each) && each.includes(name))
    const local = /^file:\/\/(.*)$/.exec(repository ?? '')?.[1]
    const condition = asText(fields.condition) !== undefined || asFields(fields).tags !== undefined
    return { name, version, repository, local, condition, line }
  })
  const directory = directoryOf(file)
  if (file.endsWith('.lock')) {
    const entries = items
      .filter(({ local }) => local === undefined)
      .map(({ name, version, repository, line }, at) => ({
        key: String(at),
        name,
        version,
        line,
        kind: 'module' as const,
        ...(repository !== undefined && { resolved: repository }),
      }))
    return {
      entries,
      projects: [{ directory, edges: entries.map(({ key }) => ({ to: key, scope: 'unknown' as const })) }],
    }
  }
  const declares = items.map(({ name, version, repository, local, condition, line }): Declaration => {
    const isExact = /^v?\d+\.\d+\.\d+[\w.+-]*$/.test(version ?? '')
    return {
      name,
      scope: condition ? 'optional' : 'production',
      kind: 'module',
      line,
      ...(version !== undefined && { requirement: version }),
      ...(isExact && { version }),
      ...(repository !== undefined && { resolved: repository }),
      ...(local !== undefined && { directory: joinPath(directory, local) }),
    }
  })
  return { projects: [{ directory, name: asText(content.name), version: asText(content.version), declares }] }
}

function readRye(text: string, file: string): Parsed {
  const { projects = [], ...rest } = parseRequirements(text, file)
  const declares = projects.flatMap(project => project.declares ?? [])
  return {
    ...rest,
    projects: [{ directory: directoryOf(file), declares: declares.map(each => ({ ...each, ecosystem: 'PyPI' })) }],
  }
}
