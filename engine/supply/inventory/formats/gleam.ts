import type { Scope } from '../component.ts'
import type { Declaration, Entry, Parsed } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { formatVcs, readDigest } from '../resolved.ts'
import { asFields, asText, asTexts, requireFields, requireList } from '../syntax/shape.ts'
import { compileTomlKeys, readToml } from '../syntax/toml.ts'

/** Reads gleam.toml, and manifest.toml, its lock file. */
export function parse(text: string, file: string): Parsed {
  const content = readToml(text)
  const directory = directoryOf(file)
  if (/manifest\.toml$/.test(file)) {
    if (content.packages === undefined || content.requirements === undefined) return {}
    const packages = requireList(content.packages, 'packages').map(each => asFields(each))
    const known = new Set(packages.map(({ name }) => name))
    const entries = packages.map((fields): Entry => {
      const name = asText(fields.name) ?? ''
      const edges = asTexts(fields.requirements ?? []).flatMap(to => (known.has(to) ? [{ to }] : []))
      return {
        key: name,
        name,
        version: asText(fields.version),
        hashes: readDigest(fields.outer_checksum, 'sha256'),
        edges,
      }
    })
    return { entries }
  }
  const findKeys = compileTomlKeys(text)
  const declares = (
    [
      ['dependencies', 'production'],
      ['dev-dependencies', 'development'],
    ] as const
  ).flatMap(([table, scope]) => {
    const lines = findKeys(table)
    return Object.entries(requireFields(content[table] ?? {}, table)).map(([name, value]) =>
      readDependency(name, value, { scope, directory, line: lines.get(name) }),
    )
  })
  return { projects: [{ directory, name: asText(content.name), version: asText(content.version), declares }] }
}

function readDependency(
  name: string,
  value: unknown,
  { scope, directory, line }: { scope: Scope; directory: string; line: number | undefined },
): Declaration {
  const fields = asFields(value)
  const [path, git, requirement] = [asText(fields.path), asText(fields.git), asText(value) ?? asText(fields.version)]
  return {
    name,
    scope,
    line,
    ...(requirement !== undefined && { requirement }),
    ...(path !== undefined && { directory: joinPath(directory, path) }),
    ...(git !== undefined && { resolved: git, vcs: formatVcs(git, asText(fields.ref)) }),
  }
}
