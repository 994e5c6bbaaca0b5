import type { Scope } from '../component.ts'
import type { Declaration, Parsed } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { formatVcs } from '../resolved.ts'
import { asFields, asText, requireFields } from '../syntax/shape.ts'
import { compileTomlKeys, readToml } from '../syntax/toml.ts'

const TABLES: readonly [string, Scope][] = [
  ['packages', 'production'],
  ['dev-packages', 'development'],
]

/** Reads Pipfile. */
export function parse(text: string, file: string): Parsed {
  const manifest = readToml(text)
  const directory = directoryOf(file)
  const findKeys = compileTomlKeys(text)
  const declares = TABLES.flatMap(([table, scope]) => {
    const lines = findKeys(table)
    return Object.entries(requireFields(manifest[table] ?? {}, table)).map(([name, value]): Declaration => {
      const fields = asFields(value)
      const [git, path] = [asText(fields.git), asText(fields.path)]
      const requirement = asText(value) ?? asText(fields.version)
      const version = /^==\s*([^\s,*]+)$/.exec(requirement ?? '')?.[1]
      return {
        ...{ name, scope, line: lines.get(name) },
        ...(requirement !== undefined && { requirement }),
        ...(version !== undefined && { version }),
        ...(git !== undefined && { resolved: git, vcs: formatVcs(git, asText(fields.ref)) }),
        ...(path !== undefined && { directory: joinPath(directory, path) }),
      }
    })
  })
  return { projects: [{ directory, declares }] }
}
