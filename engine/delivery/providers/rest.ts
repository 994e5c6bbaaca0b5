import { ProviderFailure } from './failure.ts'
import type { Answer, Transport } from './transport.ts'

/** JSON requests to one API. */
export interface Rest {
  ask<T>(method: string, path: string, more?: { query?: Query; body?: unknown; type?: string }): Promise<T>
  /** Every page of a list that names the next one in a Link header (RFC 8288). */
  list<T>(path: string, query?: Query): Promise<T[]>
  /** Status and body of a GET, whatever the status; a ProviderFailure where there is no answer. */
  probe(path: string): Promise<Answer>
}

type Query = Record<string, string | number | boolean>

/** A list is not read further: 100 entries a page. */
const MOST_PAGES = 300

/** Requests below a base address with these headers. `title` is the provider's name in failures. */
export function makeRest(
  transport: Transport,
  { base_url, headers, title }: { base_url: string; headers: Record<string, string>; title: string },
): Rest {
  const address = (path: string, query: Query = {}) => {
    const url = new URL(base_url + path)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    return url.href
  }
  const own = { accept: 'application/json', ...headers }
  const send = async (method: string, url: string, body?: unknown, type = 'application/json') => {
    const answer = await transport.request({
      method,
      url,
      headers: { ...own, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // A sign-in page in place of an answer.
    if (answer.status === 203 || /^\s*</.test(answer.text))
      throw new ProviderFailure(
        'unauthenticated',
        `${title} answered with a page instead of JSON: the token is not accepted.`,
      )
    return answer
  }
  return {
    async ask<T>(
      method: string,
      path: string,
      { query, body, type }: { query?: Query; body?: unknown; type?: string } = {},
    ) {
      return parse(await send(method, address(path, query), body, type), title) as T
    },
    async list<T>(path: string, query?: Query) {
      const found: T[] = []
      let url: string | undefined = address(path, { per_page: 100, ...query })
      const { origin } = new URL(url)
      for (let page = 0; url !== undefined; page++) {
        if (page === MOST_PAGES)
          throw new ProviderFailure('invalid', `${title}: ${path} has more than ${MOST_PAGES} pages.`)
        const answer: Answer = await send('GET', url)
        found.push(...(parse(answer, title) as T[]))
        const next: string | undefined = /<([^>]+)>;\s*rel="?next"?/.exec(answer.headers.get('link') ?? '')?.[1]
        // The next page is the same server's, whatever the answer says.
        url = next !== undefined && new URL(next, url).origin === origin ? new URL(next, url).href : undefined
      }
      return found
    },
    async probe(path) {
      try {
        return await transport.exchange({ method: 'GET', url: address(path), headers: own })
      } catch (error) {
        throw transport.describe(error, `GET ${new URL(address(path)).pathname}`)
      }
    },
  }
}

function parse({ text }: Answer, title: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new ProviderFailure('unavailable', `${title} answered with what is not JSON.`)
  }
}
