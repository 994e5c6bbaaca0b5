import { type Declaration, type Entry, type Include, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { readDigest } from '../resolved.ts'
import { readJson } from '../syntax/json.ts'
import { LineSearch } from '../syntax/lines.ts'
import { asFields, asText, asTexts, isFields, requireFields, requireList } from '../syntax/shape.ts'
import { readYaml } from '../syntax/yaml.ts'
import { type Requirements, readRequirementLine } from './requirements.ts'

/** Reads environment.yml, conda-lock.yml and conda-meta/*.json. */
export function parse(text: string, file: string): Parsed {
  if (file.endsWith('.json')) return readMeta(text)
  const content = requireFields(readYaml(text)[0], 'the file')
  if (Array.isArray(content.package)) return readLock(content.package)
  const declares: Declaration[] = []
  const faults: ManifestFault[] = []
  const includes: Include[] = []
  const directory = directoryOf(file)
  const lines = new LineSearch(text)
  const lineOf = (item: string) =>
    lines.find(line =>
      line
        .replace(/^\s*(?:-\s*)?/, '')
        .replace(/^["']/, '')
        .startsWith(item),
    )
  for (const each of requireList(content.dependencies, 'dependencies')) {
    if (isFields(each)) {
      for (const item of asTexts(each.pip ?? [])) {
        const line = lineOf(item)
        const read: Requirements = { declares: [], includes, faults }
        readRequirementLine(item.trim(), { line, scope: 'production', directory }, read)
        declares.push(...read.declares.map(declared => ({ ...declared, ecosystem: 'PyPI' })))
      }
      continue
    }
    const item = asText(each) ?? ''
    const [, name, range] = /^(?:[\w./-]+::)?([A-Za-z0-9_][\w.-]*)\s*(.*)$/.exec(item) ?? []
    if (name === undefined) {
      faults.push(new ManifestFault(`${JSON.stringify(item)} is no package`))
      continue
    }
    const version = /^={1,2}\s*([^\s=*,|<>]+)(?:=\S+)?$/.exec(range ?? '')?.[1]
    declares.push({
      name,
      scope: 'production',
      line: lineOf(item),
      ...(range && { requirement: range }),
      ...(version && { version }),
    })
  }
  return { projects: [{ directory, name: asText(content.name), declares }], includes, faults }
}

function readLock(packages: unknown[]): Parsed {
  const entries = packages.map((each, at): Entry => {
    const fields = requireFields(each, 'package')
    const name = asText(fields.name)
    if (name === undefined) throw new ManifestFault('a package has no name')
    const hash = asFields(fields.hash)
    return {
      ...{ key: String(at), name, version: asText(fields.version), resolved: asText(fields.url) },
      ...(fields.manager === 'pip' && { ecosystem: 'PyPI' }),
      scope: fields.category === undefined || fields.category === 'main' ? 'production' : 'development',
      hashes: [...readDigest(hash.md5, 'md5'), ...readDigest(hash.sha256, 'sha256')],
    }
  })
  return { entries }
}

function readMeta(text: string): Parsed {
  const meta = requireFields(readJson(text), 'the file')
  const [name, version] = [asText(meta.name), asText(meta.version)]
  if (name === undefined || version === undefined) throw new ManifestFault('the package has no name or no version')
  const hashes = [...readDigest(meta.md5, 'md5'), ...readDigest(meta.sha256, 'sha256')]
  return {
    entries: [{ key: name, name, version, line: 2, hashes, license: asText(meta.license), resolved: asText(meta.url) }],
  }
}
