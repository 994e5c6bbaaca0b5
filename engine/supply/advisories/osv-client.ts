import { type HttpClient, HttpFailure } from '../../sources/http/client.ts'
import type { Advisory } from './advisory.ts'
import type { PackageVersion } from './match.ts'
import { asFields, asText, listOf, readOsv } from './read-osv.ts'

/** The largest batch that the API takes. */
const BATCH = 1000
/** Pages of one package that are read: far more than any package has. */
const MOST_PAGES = 200
/** Advisories that are fetched at a time. */
const PARALLEL = 8

/** An advisory as the API names it for a package. */
export interface AdvisoryRef {
  id: string
  modified: string
}

/** What the API answers for one package: its advisories, or why there is no answer. */
export type QueryAnswer = { refs: AdvisoryRef[] } | { failure: string }

/**
 * Asks the OSV API which advisories are about packages (`POST /v1/querybatch`), in batches, all pages. An answer for each package, in order. A
 * batch that the API refuses is halved until only the package that it refuses has failed; where the service itself fails after all tries,
 * nothing more is asked of it.
 */
export async function queryOsv(
  client: HttpClient,
  baseUrl: string,
  packages: readonly PackageVersion[],
  onProgress: (done: number) => void = () => {},
): Promise<QueryAnswer[]> {
  const answers = new Array<QueryAnswer>(packages.length)
  let down: string | undefined
  const ask = async (from: number, to: number): Promise<void> => {
    if (down === undefined) {
      try {
        const refs = await queryBatch(client, baseUrl, packages.slice(from, to))
        for (const [i, one] of refs.entries()) answers[from + i] = { refs: one }
        return
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error
        if (!isRefusal(error)) down = error.message
        else if (to - from === 1) {
          answers[from] = { failure: `refused: ${error.message}` }
          return
        }
      }
    }
    if (down !== undefined) {
      for (let i = from; i < to; i++) answers[i] ??= { failure: down }
      return
    }
    const middle = (from + to) >> 1
    await ask(from, middle)
    await ask(middle, to)
  }
  for (let from = 0; from < packages.length; from += BATCH) {
    await ask(from, Math.min(from + BATCH, packages.length))
    onProgress(Math.min(from + BATCH, packages.length))
  }
  return answers
}

/** Fetches advisories by their ids (`GET /v1/vulns/{id}`), several at a time. A failure names its reason. */
export async function fetchAdvisories(
  client: HttpClient,
  baseUrl: string,
  ids: readonly string[],
): Promise<Map<string, { advisory: Advisory } | { failure: string }>> {
  const fetched = new Map<string, { advisory: Advisory } | { failure: string }>()
  const queue = [...ids]
  const work = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      try {
        fetched.set(id, { advisory: await fetchAdvisory(client, baseUrl, id) })
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error
        fetched.set(id, { failure: error.message })
      }
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return fetched
}

async function fetchAdvisory(client: HttpClient, baseUrl: string, id: string): Promise<Advisory> {
  return await client.request({ method: 'GET', url: `${baseUrl}/v1/vulns/${encodeURIComponent(id)}` }, ({ body }) => {
    const advisory = readOsv(readJson(body))
    if (advisory.id !== id) throw new HttpFailure(`the answer for ${id} is about ${advisory.id}`)
    return advisory
  })
}

/** One batch, with the further pages of the packages that have them. */
async function queryBatch(
  client: HttpClient,
  baseUrl: string,
  packages: readonly PackageVersion[],
): Promise<AdvisoryRef[][]> {
  const refs: AdvisoryRef[][] = packages.map(() => [])
  let open = packages.map((one, at) => ({ at, query: makeQuery(one) as Record<string, unknown> }))
  for (let page = 0; open.length > 0; page++) {
    if (page === MOST_PAGES) throw new HttpFailure('the pages of an answer do not end')
    const asked = open
    const results = await client.request(
      {
        method: 'POST',
        url: `${baseUrl}/v1/querybatch`,
        body: JSON.stringify({ queries: asked.map(({ query }) => query) }),
      },
      ({ body }) => readResults(readJson(body), asked.length),
    )
    open = asked.flatMap(({ at, query }, i) => {
      refs[at]!.push(...results[i]!.refs)
      const token = results[i]!.token
      return token === undefined ? [] : [{ at, query: { ...query, page_token: token } }]
    })
  }
  return refs
}

function makeQuery({ ecosystem, name, version }: PackageVersion) {
  return { package: { ecosystem, name }, version }
}

/** The results of a batch; HttpFailure where it is none of as many results, so that nothing is taken for "no advisory". */
function readResults(answer: unknown, count: number): { refs: AdvisoryRef[]; token: string | undefined }[] {
  const results = asFields(answer)?.results
  if (!Array.isArray(results) || results.length !== count)
    throw new HttpFailure(
      `the answer has ${Array.isArray(results) ? results.length : 'no'} results for ${count} queries`,
    )
  return results.map(result => {
    const fields = asFields(result)
    const vulns = fields?.vulns
    if (fields === undefined || (vulns !== undefined && !Array.isArray(vulns)))
      throw new HttpFailure('a result of the answer is no list of advisories')
    const refs = listOf(vulns).map(one => {
      const id = asText(asFields(one)?.id)
      if (id === undefined) throw new HttpFailure('an advisory of the answer has no id')
      return { id, modified: asText(asFields(one)?.modified) ?? '' }
    })
    return { refs, token: asText(fields.next_page_token) }
  })
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new HttpFailure('the answer is no JSON')
  }
}

/** The service works and does not take what was asked. */
function isRefusal({ status }: HttpFailure): boolean {
  return status !== undefined && status >= 400 && status < 500 && ![401, 403, 404, 407, 408, 429].includes(status)
}
