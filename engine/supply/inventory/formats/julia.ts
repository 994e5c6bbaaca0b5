import { type Edge, type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { formatVcs } from '../resolved.ts'
import { splitLines } from '../syntax/lines.ts'
import { asFields, asText, asTexts, requireFields, requireList } from '../syntax/shape.ts'
import { compileTomlKeys, readToml } from '../syntax/toml.ts'

/** Reads Manifest.toml of version 1 and 2, and Project.toml. Packages without a version belong to Julia itself. */
export function parse(text: string, file: string): Parsed {
  const content = readToml(text)
  const directory = directoryOf(file)
  if (/Project\.toml$/.test(file)) {
    const compat = asFields(content.compat)
    const lines = compileTomlKeys(text)('deps')
    const declares = Object.entries(requireFields(content.deps ?? {}, 'deps')).map(([name, uuid]) => {
      const requirement = asText(compat[name])
      return {
        name,
        scope: 'production' as const,
        line: lines.get(name),
        qualifiers: { uuid: String(uuid) },
        ...(requirement !== undefined && { requirement }),
      }
    })
    return { projects: [{ directory, name: asText(content.name), version: asText(content.version), declares }] }
  }
  const table = content.manifest_format === undefined ? content : asFields(content.deps)
  const prefix = content.manifest_format === undefined ? '' : 'deps.'
  const lines = new Map<string, number>()
  for (const [at, line] of splitLines(text).entries()) {
    const name = /^\[\[(?:deps\.)?([\w-]+)\]\]/.exec(line)?.[1]
    if (name !== undefined && !lines.has(name)) lines.set(name, at + 1)
  }
  const entries = Object.entries(table).flatMap(([name, value]) => {
    if (!Array.isArray(value) && prefix === '') return []
    return requireList(value, name).flatMap((each, at): Entry[] => {
      const fields = requireFields(each, name)
      const [version, uuid, url, tree] = [
        asText(fields.version),
        asText(fields.uuid),
        asText(fields['repo-url']),
        asText(fields['git-tree-sha1']),
      ]
      if (fields.path !== undefined || version === undefined) return []
      if (uuid === undefined) throw new ManifestFault(`${name} has no uuid`, lines.get(name))
      const needed = Array.isArray(fields.deps) ? asTexts(fields.deps) : Object.keys(asFields(fields.deps))
      const edges: Edge[] = needed.map(to => ({ to: `${to}#0` }))
      return [
        {
          key: `${name}#${at}`,
          name,
          version,
          line: lines.get(name),
          qualifiers: { uuid },
          edges,
          ...(url !== undefined && { resolved: url, vcs: formatVcs(url, asText(fields['repo-rev']) ?? tree) }),
        },
      ]
    })
  })
  return { entries }
}
