import { type Declaration, type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { readDigest } from '../resolved.ts'
import { splitLines } from '../syntax/lines.ts'
import { asFields, asText, type Fields, isFields, requireFields } from '../syntax/shape.ts'
import { compileTomlKeys, readToml } from '../syntax/toml.ts'
import { findAll, readXml } from '../syntax/xml.ts'

/** Reads gradle.lockfile, version catalogs (libs.versions.toml) and verification-metadata.xml. */
export function parse(text: string, file: string): Parsed {
  if (file.endsWith('.toml')) return readCatalog(text, file)
  return file.endsWith('.xml') ? readVerification(text) : readLock(text)
}

/** `group:artifact:version=configuration,configuration`, one a line. What is in no configuration for running or compiling is for tests. */
function readLock(text: string): Parsed {
  const entries: Entry[] = []
  for (const [at, raw] of splitLines(text).entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#') || line.startsWith('empty=')) continue
    const [coordinates = '', configurations = ''] = line.split('=')
    const [group, artifact, version] = coordinates.split(':')
    if (!group || !artifact || !version)
      throw new ManifestFault('a line must have the form group:artifact:version=configurations', at + 1)
    const names = configurations.split(',').filter(Boolean)
    const isTest = names.length > 0 && names.every(name => /^(androidT|t)est|Test|testFixtures/.test(name))
    const isBuild =
      names.length > 0 &&
      names.every(name =>
        /annotationProcessor|^classpath$|kapt|ksp|detekt|ktlint|checkstyle|pmd|jacoco|spotbugs|developmentOnly/i.test(
          name,
        ),
      )
    entries.push({
      key: `${coordinates}#${at}`,
      name: `${group}:${artifact}`,
      version,
      line: at + 1,
      scope: isTest ? 'test' : isBuild ? 'development' : 'production',
    })
  }
  return { entries }
}

function readCatalog(text: string, file: string): Parsed {
  const catalog = readToml(text)
  const versions = asFields(catalog.versions)
  const lines = compileTomlKeys(text)('libraries')
  const declares = Object.entries(requireFields(catalog.libraries ?? {}, 'libraries')).map(
    ([alias, value]): Declaration => {
      const [group, artifact, inline] = typeof value === 'string' ? value.split(':') : readModule(asFields(value))
      const line = lines.get(alias)
      if (!group || !artifact) throw new ManifestFault(`libraries.${alias} names no module`, line)
      const version = inline ?? readVersion(asFields(value).version, versions)
      const isRange = version !== undefined && /[[\](),+]/.test(version)
      const base = { name: `${group}:${artifact}`, scope: 'unknown' as const, line }
      return {
        ...base,
        ...(version !== undefined && (isRange ? { requirement: version } : { version, requirement: version })),
      }
    },
  )
  return { projects: [{ directory: directoryOf(directoryOf(file)), declares }] }
}

function readModule(fields: Fields): (string | undefined)[] {
  const module = asText(fields.module)
  return module === undefined ? [asText(fields.group), asText(fields.name)] : module.split(':')
}

function readVersion(value: unknown, versions: Fields): string | undefined {
  if (!isFields(value)) return asText(value)
  const ref = asText(value.ref)
  if (ref !== undefined) return readVersion(versions[ref], {})
  return asText(value.strictly) ?? asText(value.require) ?? asText(value.prefer)
}

function readVerification(text: string): Parsed {
  const entries: Entry[] = []
  for (const element of findAll(readXml(text), 'component')) {
    const { group, name, version } = element.attributes
    if (!group || !name || !version) {
      // An entry that names no artifact verifies nothing.
      entries.push({
        key: `${entries.length}`,
        name: `${group ?? ''}:${name ?? ''}`,
        version: version || undefined,
        line: element.line,
      })
      continue
    }
    const hashes = ['md5', 'sha1', 'sha256', 'sha512'].flatMap(kind =>
      [...findAll(element, kind)].flatMap(({ attributes }) => readDigest(attributes.value, kind)),
    )
    entries.push({ key: `${entries.length}`, name: `${group}:${name}`, version, line: element.line, hashes })
  }
  return { entries }
}
