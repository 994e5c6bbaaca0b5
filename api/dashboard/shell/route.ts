import { signal } from '@preact/signals'

/** Where a person is: the page, and its parameters. */
export interface Route {
  page: string
  query: URLSearchParams
}

/** Parameters of an address; empty ones are left out. */
export type Parameters = Record<string, string | undefined>

/** `#/findings?severity=high`; the form without the slash is read too. */
export function parseRoute(hash: string): Route {
  const [page = '', query] = hash.replace(/^#\/?/, '').split('?', 2)
  return { page: page || 'overview', query: new URLSearchParams(query) }
}

export const route = signal(parseRoute(location.hash))

addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash)
})

/** The address of a page. A run that was chosen stays chosen, unless another is named. */
export function href(page: string, parameters: Parameters = {}): string {
  const run = route.value.query.get('run') ?? undefined
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ run, ...parameters })) if (value) query.set(name, value)
  return query.size > 0 ? `#/${page}?${query}` : `#/${page}`
}

/** Goes to a page; `replace` leaves no step for the way back, as where a filter changes while one types. */
export function go(page: string, parameters: Parameters = {}, { replace = false } = {}): void {
  const hash = href(page, parameters)
  if (hash === location.hash) return
  if (!replace) {
    location.hash = hash
    return
  }
  history.replaceState(null, '', hash)
  route.value = parseRoute(hash)
}

/** The same page with some of its parameters changed. */
export function change(parameters: Parameters, options: { replace?: boolean } = {}): void {
  const { page, query } = route.value
  go(page, { ...Object.fromEntries(query), ...parameters }, options)
}
