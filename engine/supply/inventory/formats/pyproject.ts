import type { Scope } from '../component.ts'
import { type Declaration, type Include, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { readPep508 } from '../pep508.ts'
import { formatVcs } from '../resolved.ts'
import { asFields, asText, asTexts, type Fields, isFields, requireFields, requireList } from '../syntax/shape.ts'
import { readToml } from '../syntax/toml.ts'
import { scopeOfGroup } from './python-lock.ts'

/** Reads pyproject.toml: PEP 621, dependency groups (PEP 735), poetry, pdm and uv. Build requirements are development's. */
export function parse(text: string, file: string): Parsed {
  const manifest = readToml(text)
  const project = asFields(manifest.project)
  const tool = asFields(manifest.tool)
  const poetry = asFields(tool.poetry)
  const directory = directoryOf(file)
  const faults: ManifestFault[] = []
  const findLine = compileLineFinder(text)
  const declares: Declaration[] = []
  const addTexts = (list: unknown, what: string, scope: Scope) => {
    for (const each of requireList(list, what)) {
      if (isFields(each)) continue
      const found = readPep508(asText(each) ?? '')
      const line = findLine(found?.name ?? String(each))
      if (found === undefined)
        faults.push(new ManifestFault(`${what}: ${JSON.stringify(each)} is no requirement`, line))
      else declares.push({ ...found, scope, line })
    }
  }
  addTexts(project.dependencies, 'project.dependencies', 'production')
  for (const [extra, list] of Object.entries(asFields(project['optional-dependencies'])))
    addTexts(list, `project.optional-dependencies.${extra}`, 'optional')
  for (const [group, list] of Object.entries(asFields(manifest['dependency-groups'])))
    addTexts(list, `dependency-groups.${group}`, scopeOfGroup(group))
  for (const [group, list] of Object.entries(asFields(asFields(tool.pdm)['dev-dependencies'])))
    addTexts(list, `tool.pdm.dev-dependencies.${group}`, scopeOfGroup(group))
  addTexts(asFields(tool.uv)['dev-dependencies'], 'tool.uv.dev-dependencies', 'development')
  const addTable = (table: unknown, what: string, scope: Scope) => {
    if (table === undefined) return
    for (const [name, value] of Object.entries(requireFields(table, what)))
      if (name !== 'python')
        declares.push({
          ...readPoetry(name, value, directory),
          scope: asFields(value).optional === true ? 'optional' : scope,
          line: findLine(name),
        })
  }
  addTable(poetry.dependencies, 'tool.poetry.dependencies', 'production')
  addTable(poetry['dev-dependencies'], 'tool.poetry.dev-dependencies', 'development')
  for (const [group, fields] of Object.entries(asFields(poetry.group)))
    addTable(asFields(fields).dependencies, `tool.poetry.group.${group}.dependencies`, scopeOfGroup(group))
  const sources = asFields(asFields(tool.uv).sources)
  for (const declared of declares) {
    const path = asText(asFields(sources[declared.name]).path)
    if (path !== undefined) declared.directory = joinPath(directory, path)
  }
  // A file of settings alone describes no project.
  if (declares.length === 0 && manifest.project === undefined && tool.poetry === undefined && faults.length === 0)
    return {}
  const name = asText(project.name) ?? asText(poetry.name)
  const version = asText(project.version) ?? asText(poetry.version)
  const license = asText(project.license) ?? asText(asFields(project.license).text) ?? asText(poetry.license)
  const files = asTexts(asFields(asFields(asFields(tool.setuptools).dynamic).dependencies).file ?? [])
  const includes = files.map(
    (name): Include => ({ file: joinPath(directory, name), as: 'part', format: 'requirements' }),
  )
  const dynamic = asTexts(project.dynamic).filter(field => field.endsWith('dependencies'))
  const detail =
    dynamic.length > 0 && files.length === 0 ? { detail: `${dynamic.join(' and ')} are computed when it is built` } : {}
  return { projects: [{ directory, name, version, license, declares }], includes, faults, ...detail }
}

/** A dependency of poetry: a range, a table with one, or a list of tables for several platforms. */
function readPoetry(name: string, value: unknown, directory: string): Omit<Declaration, 'scope'> {
  const fields: Fields = Array.isArray(value) ? asFields(value[0]) : asFields(value)
  const path = asText(fields.path)
  if (path !== undefined) return { name, directory: joinPath(directory, path) }
  const git = asText(fields.git)
  if (git !== undefined) return { name, resolved: git, vcs: formatVcs(git, asText(fields.rev)) }
  const requirement = asText(value) ?? asText(fields.version)
  const version = /^={0,2}\s*(\d[\w.!+-]*)$/.exec(requirement ?? '')?.[1]
  return { name, ...(requirement !== undefined && { requirement }), ...(version !== undefined && { version }) }
}

/** The first line that names a package as a key or at the start of a text; linear over all look-ups together. */
function compileLineFinder(text: string): (name: string) => number | undefined {
  const lines = new Map<string, number>()
  for (const [at, line] of text.split('\n').entries())
    for (const [, name] of line.matchAll(/(?:^\s*|["'])([A-Za-z0-9][\w.-]*)/g))
      if (!lines.has(name!)) lines.set(name!, at + 1)
  return name => lines.get(name)
}
