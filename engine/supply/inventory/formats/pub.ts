import type { Scope } from '../component.ts'
import { type Declaration, type Edge, type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { formatVcs, readDigest } from '../resolved.ts'
import { asFields, asText, asTexts, requireFields, requireTable } from '../syntax/shape.ts'
import { findYamlKeys, readYaml } from '../syntax/yaml.ts'

/** Reads pubspec.lock and pubspec.yaml. Packages of the SDK have no version of their own. */
export function parse(text: string, file: string): Parsed {
  const content = requireFields(readYaml(text)[0], file)
  return file.endsWith('.lock')
    ? readLock(text, content, directoryOf(file))
    : readManifest(text, content, directoryOf(file))
}

function readLock(text: string, lock: Record<string, unknown>, directory: string): Parsed {
  if (lock.packages === undefined && lock.sdks === undefined)
    throw new ManifestFault('it has neither packages nor sdks: this is no pubspec.lock')
  const lines = findYamlKeys(text, 'packages', 2)
  const entries: Entry[] = []
  const edges: Edge[] = []
  for (const [name, fields] of requireTable(lock.packages, 'packages')) {
    const line = lines.get(name)
    const description = asFields(fields.description)
    const kind = asText(fields.dependency) ?? ''
    const scope: Scope = kind === 'direct dev' ? 'development' : kind.startsWith('direct') ? 'production' : 'unknown'
    if (fields.source === 'path') continue
    const version = asText(fields.version)
    if (version === undefined) throw new ManifestFault(`${name} has no version`, line)
    const [url, commit] = [asText(description.url), asText(description['resolved-ref'])]
    entries.push({
      ...{
        key: name,
        name: asText(description.name) ?? name,
        version,
        line,
        scope,
        hashes: readDigest(description.sha256, 'sha256'),
      },
      ...(url !== undefined && { resolved: url }),
      ...(fields.source === 'git' && url !== undefined && { vcs: formatVcs(url, commit) }),
    })
    if (kind.startsWith('direct')) edges.push({ to: name, scope })
  }
  return { entries, projects: [{ directory, edges }] }
}

function readManifest(text: string, manifest: Record<string, unknown>, directory: string): Parsed {
  const declares = (['dependencies', 'dev_dependencies'] as const).flatMap(table => {
    const lines = findYamlKeys(text, table, 2)
    return Object.entries(requireFields(manifest[table] ?? {}, table)).flatMap(([name, value]): Declaration[] => {
      const fields = asFields(value)
      if (fields.sdk !== undefined) return []
      const path = asText(fields.path)
      const git = asText(fields.git) ?? asText(asFields(fields.git).url)
      const requirement = asText(value) ?? asText(fields.version)
      const version = /^\d+\.\d+\.\d+[\w.+-]*$/.test(requirement ?? '') ? requirement : undefined
      const scope = table === 'dependencies' ? 'production' : 'development'
      return [
        {
          name,
          scope,
          line: lines.get(name),
          ...(requirement !== undefined && { requirement }),
          ...(version !== undefined && { version }),
          ...(path !== undefined && { directory: joinPath(directory, path) }),
          ...(git !== undefined && { resolved: git }),
        },
      ]
    })
  })
  return {
    projects: [
      {
        ...{ directory, name: asText(manifest.name), version: asText(manifest.version), declares },
        workspaces: asTexts(manifest.workspace ?? []),
      },
    ],
  }
}
