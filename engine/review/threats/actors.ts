import { connect, type Draft } from './draft.ts'
import type { ModelElement } from './model.ts'

/** Who uses the processes, by their ways in. */
export function addActors(draft: Draft): void {
  const proxies = draft.elements().filter(({ facts }) => facts.includes('proxy'))
  const behind = new Set(draft.flows().flatMap(({ from, to }) => (proxies.some(({ id }) => id === from) ? [to] : [])))
  for (const element of draft.elements()) {
    if (element.kind !== 'process') {
      if (!element.facts.includes('published')) continue
      const user = actor(draft, 'network', 'Network clients', 'internet')
      connect(draft, user, element, 'published port', element.places, ['published'])
      continue
    }
    const { facts, entry_points } = element
    const places = (methods: (method: string) => boolean) =>
      entry_points.flatMap(({ method, path, file, line }) =>
        methods(method) ? [{ file, line, what: `${method} ${path}`.trim() }] : [],
      )
    const isHttp = (method: string) => findFact(method) === 'http'
    if (facts.includes('browser'))
      connect(draft, actor(draft, 'user', 'User', 'internet'), element, 'uses', element.places)
    else if (facts.includes('http') && (!behind.has(element.id) || facts.includes('published')))
      connect(
        draft,
        actor(draft, 'user', 'User', 'internet'),
        element,
        'HTTP requests',
        facts.includes('proxy') ? element.places : places(isHttp),
      )
    if (facts.includes('cli'))
      connect(
        draft,
        actor(draft, 'operator', 'Operator', 'operator'),
        element,
        'command line',
        places(method => method === 'CLI'),
      )
    if (facts.includes('image') && facts.includes('published'))
      connect(draft, actor(draft, 'user', 'User', 'internet'), element, 'published port', element.places, ['published'])
    if (facts.includes('socket'))
      connect(
        draft,
        actor(draft, 'network', 'Network clients', 'internet'),
        element,
        'connections',
        places(method => findFact(method) === 'socket'),
      )
    if (facts.includes('library'))
      connect(draft, actor(draft, 'caller', 'Calling program', 'operator'), element, 'calls', element.places)
  }
}

function actor(draft: Draft, id: string, name: string, zone: 'internet' | 'operator'): ModelElement {
  return draft.add({
    ...{
      id: draft.id('actor', id),
      kind: 'actor',
      zone,
      name,
      places: [],
      entry_points: [],
      facts: [],
      source: 'rule',
    },
  })
}

/** Browser applications call the processes that take HTTP requests. */
export function connectBrowsers(draft: Draft): void {
  const servers = draft
    .elements()
    .filter(({ kind, zone, facts }) => kind === 'process' && zone === 'application' && facts.includes('http'))
  for (const browser of draft.elements().filter(({ zone }) => zone === 'browser'))
    for (const server of servers) connect(draft, browser, server, 'HTTP requests', browser.places)
}

/** The fact that a way in by this method shows. */
export function findFact(method: string): string {
  if (method === 'CLI' || method === 'MESSAGE') return method.toLowerCase()
  return /^(?:TCP|UDP|SMTP|FTP|SSH|DNS|LDAP|IMAP|POP3|MQTT)$/.test(method) ? 'socket' : 'http'
}
