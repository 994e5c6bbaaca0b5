import type { CodePlace, ElementKind, Flow, ModelElement } from './model.ts'

/** A model that is being made: elements and flows once each, by their ids. */
export interface Draft {
  id(kind: ElementKind, what: string): string
  /** Adds an element, or its places and facts to the one that has the id; answers the one that is in the model. */
  add(element: ModelElement): ModelElement
  addFlow(flow: Flow): void
  elements(): ModelElement[]
  flows(): Flow[]
}

const MOST_PLACES = 60

export function makeDraft(): Draft {
  const elements = new Map<string, ModelElement>()
  const flows = new Map<string, Flow>()
  return {
    id: (kind, what) => `${kind}:${what.toLowerCase().replace(/[^a-z0-9._/-]+/g, '-') || 'root'}`,
    add(element) {
      const known = elements.get(element.id)
      if (known === undefined) {
        elements.set(element.id, element)
        return element
      }
      addPlaces(known.places, element.places)
      known.facts.push(...element.facts.filter(fact => !known.facts.includes(fact)))
      return known
    },
    addFlow(flow) {
      const known = flows.get(flow.id)
      if (known === undefined) flows.set(flow.id, flow)
      else {
        addPlaces(known.places, flow.places)
        known.facts.push(...flow.facts.filter(fact => !known.facts.includes(fact)))
      }
    },
    elements: () => [...elements.values()],
    flows: () => [...flows.values()],
  }
}

/** Adds a flow between two elements. */
export function connect(
  draft: Draft,
  from: ModelElement,
  to: ModelElement,
  label: string,
  places: readonly CodePlace[],
  facts: readonly string[] = [],
): void {
  const isInbound = label === 'HTTP requests' && (from.kind === 'actor' || from.zone === 'browser')
  const own = [...facts, ...(isInbound ? ['http'] : [])]
  draft.addFlow({
    ...{ id: `${from.id}>${to.id}`, from: from.id, to: to.id, label, places: places.slice(0, MOST_PLACES) },
    ...{ crosses: from.zone !== to.zone || isApart(from, to), facts: own, source: 'rule' },
  })
}

/** Whether two elements were deployed into different networks or namespaces. */
function isApart({ boundary: one }: ModelElement, { boundary: other }: ModelElement): boolean {
  return one !== undefined && other !== undefined && one !== other
}

function addPlaces(known: CodePlace[], more: readonly CodePlace[]): void {
  for (const place of more) {
    if (known.length >= MOST_PLACES) return
    if (!known.some(({ file, line }) => file === place.file && line === place.line)) known.push(place)
  }
}
