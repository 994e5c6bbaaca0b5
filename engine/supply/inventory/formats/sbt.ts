import type { Declaration, Entry, Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { readDigest } from '../resolved.ts'
import { readJson } from '../syntax/json.ts'
import { splitLines } from '../syntax/lines.ts'
import { asFields, asList, asText, requireFields, requireList } from '../syntax/shape.ts'

const MODULE = /"([\w.-]+)"\s*(%%?%?)\s*"([\w.-]+)"\s*%\s*(?:"([^"\n]+)"|([\w.]+))(?:\s*%\s*(?:"(\w+)"|(\w+)))?/g

/** Reads build.sbt.lock, and of *.sbt the modules that are written as literals, with versions that are values of the file. */
export function parse(text: string, file: string): Parsed {
  if (file.endsWith('.lock')) return readLock(text)
  const values = new Map(
    [...text.matchAll(/\bval\s+(\w+)\s*=\s*"([^"\n]+)"/g)].map(([, name, value]) => [name!, value!]),
  )
  const scala = /scalaVersion\s*:=\s*"(\d+)\.(\d+)/.exec(text)
  const suffix = scala === null ? '' : scala[1] === '3' ? '_3' : `_${scala[1]}.${scala[2]}`
  const inPlugins = /(^|\/)project\//.test(file)
  const declares = splitLines(text).flatMap((raw, at) =>
    [...raw.replace(/\/\/.*$/, '').matchAll(MODULE)].map(
      ([, group, percent, artifact, literal, named, a, b]): Declaration => {
        const version = literal ?? values.get(named!)
        const configuration = (a ?? b ?? '').toLowerCase()
        const scope = inPlugins
          ? 'development'
          : configuration === 'test' || configuration === 'it'
            ? 'test'
            : 'production'
        // `%%` adds the version of Scala to the name.
        return {
          name: `${group}:${artifact}${percent === '%' ? '' : suffix}`,
          scope,
          line: at + 1,
          requirement: version ?? named,
          ...(version !== undefined && !/[[\](),+]/.test(version) && { version }),
        }
      },
    ),
  )
  return { projects: [{ directory: inPlugins ? directoryOf(directoryOf(file)) : directoryOf(file), declares }] }
}

function readLock(text: string): Parsed {
  const lock = requireFields(readJson(text), 'the lock file')
  const entries = requireList(lock.dependencies, 'dependencies').map((each, at): Entry => {
    const fields = requireFields(each, 'dependency')
    const configurations = asList(fields.configurations).map(String)
    const isTest = configurations.length > 0 && configurations.every(name => /test/i.test(name))
    const hashes = asList(fields.artifacts).flatMap(artifact => readDigest(asFields(artifact).hash))
    return {
      key: String(at),
      name: `${asText(fields.org)}:${asText(fields.name)}`,
      version: asText(fields.version),
      scope: isTest ? 'test' : 'production',
      hashes,
    }
  })
  return { entries }
}
