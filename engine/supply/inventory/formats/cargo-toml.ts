import type { Scope } from '../component.ts'
import { type Declaration, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf, findAbove, joinPath } from '../paths.ts'
import { formatVcs } from '../resolved.ts'
import { asFields, asText, type Fields, isFields, requireFields } from '../syntax/shape.ts'
import { compileTomlKeys, readToml } from '../syntax/toml.ts'

const TABLES: readonly [string, Scope][] = [
  ['dependencies', 'production'],
  ['build-dependencies', 'development'],
  ['dev-dependencies', 'development'],
]

/** Reads Cargo.toml, with dependencies of targets; what it takes from its workspace is completed by `combine`. */
export function parse(text: string, file: string): Parsed {
  const manifest = readToml(text)
  const directory = directoryOf(file)
  const findKeys = compileTomlKeys(text)
  const read = (holder: Fields, prefix: string): Declaration[] =>
    TABLES.flatMap(([table, scope]) => {
      const lines = findKeys(`${prefix}${table}`)
      return Object.entries(requireFields(holder[table] ?? {}, `${prefix}${table}`)).map(([name, value]) => ({
        ...readDependency(name, value, directory),
        scope: scope === 'production' && asFields(value).optional === true ? ('optional' as const) : scope,
        line: lines.get(name),
      }))
    })
  const targets = Object.entries(asFields(manifest.target)).flatMap(([target, fields]) =>
    read(asFields(fields), `target.${target}.`),
  )
  const declares = [...read(manifest, ''), ...targets]
  const own = asFields(manifest.package)
  const model = {
    workspace: asFields(asFields(manifest.workspace).dependencies),
    inherits: declares.filter(({ requirement }) => requirement === INHERITED),
    directory,
  }
  if (manifest.package === undefined && declares.length === 0) return { model }
  return {
    projects: [
      { directory, name: asText(own.name), version: asText(own.version), license: asText(own.license), declares },
    ],
    model,
  }
}

const INHERITED = 'workspace = true'

interface Model {
  workspace: Fields
  inherits: Declaration[]
  directory: string
}

/** Completes dependencies with `workspace = true` by the nearest workspace above. */
export function combine(files: Map<string, Parsed>): void {
  const models = [...files.values()].map(({ model }) => model as Model)
  const workspaces = new Map(
    models.flatMap(each => (Object.keys(each.workspace).length > 0 ? [[each.directory, each] as const] : [])),
  )
  for (const { inherits, directory } of models)
    for (const declared of inherits) {
      const nearest = findAbove(directory, at => {
        const found = workspaces.get(at)
        return found !== undefined && Object.hasOwn(found.workspace, declared.name) ? found : undefined
      })
      const { requirement, version, ...rest } = nearest
        ? readDependency(declared.name, nearest.workspace[declared.name], nearest.directory)
        : declared
      Object.assign(declared, rest, { requirement: requirement === INHERITED ? undefined : requirement, version })
    }
}

function readDependency(alias: string, value: unknown, directory: string): Omit<Declaration, 'scope'> {
  if (!isFields(value) && typeof value !== 'string')
    throw new ManifestFault(`the dependency ${alias} must be a version or a table`)
  const fields = asFields(value)
  for (const field of ['version', 'git', 'path', 'package'])
    if (fields[field] !== undefined && typeof fields[field] !== 'string')
      throw new ManifestFault(`${alias}.${field} must be a text`)
  const name = asText(fields.package) ?? alias
  const base = { name, ...(name !== alias && { alias }) }
  const [path, git] = [asText(fields.path), asText(fields.git)]
  if (fields.workspace === true) return { ...base, requirement: INHERITED }
  if (path !== undefined) return { ...base, directory: joinPath(directory, path) }
  const requirement = asText(value) ?? asText(fields.version)
  if (git !== undefined)
    return {
      ...base,
      resolved: git,
      vcs: formatVcs(git, asText(fields.rev)),
      ...(requirement !== undefined && { requirement }),
    }
  const version = /^=\s*(\d+\.\d+\.\d+\S*)$/.exec(requirement ?? '')?.[1]
  return { ...base, ...(requirement !== undefined && { requirement }), ...(version !== undefined && { version }) }
}
