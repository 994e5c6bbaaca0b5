import type { Resource, ResourceTemplateType, TextResourceContents } from '@modelcontextprotocol/server'
import type { Page, Results } from './results.ts'

/** Resources listed in one answer: the latest, which are what a client may still want. */
const MOST_LISTED = 24
const SCHEME = 'svc://results/'

/** Templates of the addresses that can be read. */
export const TEMPLATES: ResourceTemplateType[] = [
  {
    uriTemplate: `${SCHEME}{id}/{page}`,
    name: 'result-page',
    title: 'Page of a long result',
    description: 'One page, from 1, of the structured content of a result that was too long for one answer.',
    mimeType: 'application/json',
  },
]

/** The address of the page that a cursor names. */
export function addressOf(cursor: string): string {
  return SCHEME + cursor.replace('.', '/')
}

/** The first pages of the kept results, oldest first. */
export function listResources(results: Results, owner: string): Resource[] {
  return results
    .list(owner)
    .slice(-MOST_LISTED)
    .map(({ id, tool, pages }) => ({
      uri: addressOf(`${id}.1`),
      name: `${tool}-${id}`,
      title: `Result of ${tool}, ${pages} pages`,
      mimeType: 'application/json',
    }))
}

/** What stands at the address, with the tool that answered it; undefined where nothing does. */
export function readResource(
  uri: string,
  results: Results,
  owner: string,
): { tool: string; contents: TextResourceContents } | undefined {
  const page = findPage(uri, results, owner)
  if (!page) return undefined
  return { tool: page.tool, contents: { uri, mimeType: 'application/json', text: JSON.stringify(page.structured) } }
}

function findPage(uri: string, results: Results, owner: string): Page | undefined {
  if (!uri.startsWith(SCHEME)) return undefined
  const [id, number, ...rest] = uri.slice(SCHEME.length).split('/')
  return rest.length > 0 ? undefined : results.find(`${id}.${number}`, owner)
}
