import type { Context } from '../../../base/context.ts'
import { openHttpClient } from '../../../sources/http/client.ts'
import type { Component } from '../../inventory/component.ts'
import { normalizeName } from '../../inventory/ecosystems.ts'
import { asFields, asText } from '../../inventory/syntax/shape.ts'
import { readNpmLicenses } from '../local/node-modules.ts'
import { readMetadata, readPythonLicenses } from '../local/site-packages.ts'
import { findRegistries, type Registries } from './addresses.ts'

/** What a registry said of a component, or why it said nothing. */
export interface RegistryAnswer {
  said?: string
  /** The address that was asked. */
  from: string
  failure?: string
}

/** Requests that are made at the same time. */
const AT_ONCE = 8
const MOST_BYTES = 16 * 2 ** 20

/**
 * Asks the registries that the repository's packages come from. Their addresses are those of the lock file and of the ecosystem's own settings;
 * where neither names one, nothing is asked. No credentials are sent: a repository could name any server.
 */
export async function askRegistries(
  components: readonly Component[],
  root: string,
  { env, signal, onProgress }: Pick<Context, 'env' | 'signal'> & { onProgress?: (done: number) => void },
): Promise<Map<string, RegistryAnswer>> {
  const answers = new Map<string, RegistryAnswer>()
  const registries = findRegistries(root, env)
  const requests = components.flatMap(component => {
    const request = makeRequest(component, registries)
    return request ? [{ component, ...request }] : []
  })
  if (requests.length === 0) return answers
  const client = await openHttpClient({ env, signal, attempts: 3 })
  let done = 0
  const work = async (next: Iterator<(typeof requests)[number]>) => {
    for (let one = next.next(); !one.done; one = next.next()) {
      const { component, url, read } = one.value
      try {
        const said = await client.request({ method: 'GET', url, mostBytes: MOST_BYTES }, ({ body }) =>
          read(body.toString('utf8')),
        )
        answers.set(
          component.id,
          said === undefined ? { from: url, failure: 'the registry does not say it' } : { said, from: url },
        )
      } catch (error) {
        signal.throwIfAborted()
        answers.set(component.id, { from: url, failure: `the registry failed: ${(error as Error).message}` })
      }
      onProgress?.(++done)
    }
  }
  try {
    const next = requests.values()
    await Promise.all(Array.from({ length: AT_ONCE }, () => work(next)))
  } finally {
    await client.close()
  }
  return answers
}

function makeRequest(
  component: Component,
  registries: Registries,
): { url: string; read: (body: string) => string | undefined } | undefined {
  const { ecosystem, name, version, resolved } = component
  if (version === undefined) return undefined
  if (ecosystem === 'npm') {
    const base = registries.npm(name, resolved)
    if (base === undefined) return undefined
    return {
      url: `${base}${name.replace('/', '%2f')}/${encodeURIComponent(version)}`,
      read: body => readNpmLicenses(asFields(JSON.parse(body)))[0],
    }
  }
  if (ecosystem === 'PyPI') {
    const base = registries.pypi(resolved)
    if (base === undefined) return undefined
    return {
      url: `${base}pypi/${encodeURIComponent(normalizeName('PyPI', name))}/${encodeURIComponent(version)}/json`,
      read: body => readPyPi(JSON.parse(body)),
    }
  }
  return undefined
}

function readPyPi(answer: unknown): string | undefined {
  const info = asFields(asFields(answer).info)
  const lines = [
    ...['license-expression', 'license'].flatMap(key => {
      const value = asText(info[key.replace('-', '_')])
      return value ? [`${key}: ${value.replace(/\r?\n/g, '\n ')}`] : []
    }),
    ...(Array.isArray(info.classifiers)
      ? info.classifiers.flatMap(one => (typeof one === 'string' ? [`classifier: ${one}`] : []))
      : []),
  ]
  return readPythonLicenses(readMetadata(lines.join('\n')))[0]
}
