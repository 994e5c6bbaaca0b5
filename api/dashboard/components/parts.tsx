import { count } from '../format.ts'
import { href, route } from '../shell/route.ts'

/** A part of a page, with how much is in it. */
export interface Part<N extends string> {
  name: N
  title: string
  count?: number
}

/** The part of a page that the address names; the first where it names none. */
export function partOf<N extends string>(query: URLSearchParams, parts: readonly Part<N>[]): N {
  return parts.find(({ name }) => name === query.get('part'))?.name ?? parts[0]!.name
}

/** Links to the parts of a page, one of which is shown. */
export function Parts<N extends string>({ parts, shown }: { parts: readonly Part<N>[]; shown: N }) {
  const { page } = route.value
  return (
    <ul class="parts" aria-label="Parts of this page">
      {parts.map(({ name, title, count: n }, at) => (
        <li key={name}>
          <a
            href={href(page, { part: at === 0 ? undefined : name })}
            aria-current={name === shown ? 'true' : undefined}
          >
            {title}
            {n !== undefined && <span class="soft"> {count(n)}</span>}
          </a>
        </li>
      ))}
    </ul>
  )
}
