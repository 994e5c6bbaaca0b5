import { listKeys } from '../../../base/records/rule-ids.ts'
import { type Control, RuleIndex } from '../pack.ts'
import { isBroadGlob } from './globs.ts'
import { makeProblem, type Problem, type Subject } from './problem.ts'

/** A control may carry this share of a pack's mappings. */
const MOST_SHARE = 1 / 5
/** Below this many mapped controls a fifth is no measure: each has a large share. */
const LEAST_CONTROLS = 6
/** A reason of fewer words repeats the title. */
const LEAST_WORDS = 3

/** What can be wrong with the controls, mappings and obligations of a pack. */
export function lintControls(subject: Subject): Problem[] {
  const { pack } = subject
  if (!pack.framework) return []
  return [
    ...lintHead(subject),
    ...repeatedIds(subject),
    ...pack.controls.flatMap((control, at) => lintControl(subject, control, at)),
    ...lintObligations(subject),
    ...concentrated(subject),
  ]
}

function lintHead({ pack, place }: Subject): Problem[] {
  if (pack.framework?.source) return []
  return [makeProblem('no-source', pack.id, 'the framework has no source', place(['framework'], 'key'))]
}

function repeatedIds({ pack, place }: Subject): Problem[] {
  const found: Problem[] = []
  for (const [key, list] of [['controls', pack.controls] as const, ['obligations', pack.obligations] as const]) {
    const seen = new Set<string>()
    for (const [at, { id }] of list.entries()) {
      if (seen.has(id)) {
        found.push(makeProblem('duplicate-id', id, `${id} is defined twice`, place([key, String(at), 'id'], 'value')))
      }
      seen.add(id)
    }
  }
  return found
}

function lintControl({ pack, place, rules, others }: Subject, control: Control, at: number): Problem[] {
  const found: Problem[] = []
  const path = ['controls', String(at)]
  const own = rules.map(({ rule }) => rule)
  const all = [...own, ...others.flatMap(other => other.rules)]
  const ids = new Set(all.map(({ id }) => id))
  const tags = new Set(all.flatMap(rule => rule.tags))
  if (control.maps.length === 0 && !pack.obligations.some(each => each.control === control.id)) {
    found.push(
      makeProblem('empty-control', control.id, `nothing bears on ${control.id}`, place([...path, 'id'], 'value')),
    )
  }
  const headed = pack.controls.find(({ id }) => id.startsWith(`${control.id}.`))
  if (headed && control.maps.length > 0) {
    found.push(
      makeProblem(
        'header-clause',
        control.id,
        `${control.id} is the heading of ${headed.id}; map to the clauses under it`,
        place([...path, 'id'], 'value'),
      ),
    )
  }
  for (const [index, map] of control.maps.entries()) {
    const inner = [...path, 'maps', String(index)]
    if (map.why.trim().split(/\s+/).length < LEAST_WORDS || same(map.why, control.title)) {
      found.push(
        makeProblem(
          'no-rationale',
          control.id,
          `a mapping of ${control.id} has no reason (why)`,
          place([...inner, 'why'], 'value'),
        ),
      )
    }
    if (map.rules.length + map.cwe.length + map.tags.length === 0) {
      found.push(
        makeProblem('empty-control', control.id, `a mapping of ${control.id} selects nothing`, place(inner, 'value')),
      )
    }
    for (const [nth, id] of map.rules.entries()) {
      if (!listKeys(id).some(key => ids.has(key)))
        found.push(unknown(control.id, `no rule ${id}`, [...inner, 'rules', String(nth)]))
    }
    for (const [nth, tag] of map.tags.entries()) {
      if (!tags.has(tag)) found.push(unknown(control.id, `no rule has the tag ${tag}`, [...inner, 'tags', String(nth)]))
    }
  }
  return found

  function unknown(on: string, message: string, where: string[]): Problem {
    return makeProblem('unknown-control', on, message, place(where, 'value'))
  }
}

function lintObligations({ pack, place }: Subject): Problem[] {
  const ids = new Set(pack.controls.map(({ id }) => id))
  return pack.obligations.flatMap((obligation, at) => {
    const path = ['obligations', String(at)]
    const found = obligation.files.flatMap((glob, nth) =>
      isBroadGlob(glob)
        ? makeProblem(
            'broad-glob',
            obligation.id,
            `${glob} matches every file as evidence`,
            place([...path, 'files', String(nth)], 'value'),
          )
        : [],
    )
    if (!ids.has(obligation.control)) {
      const where = place([...path, 'control'], 'value')
      found.push(makeProblem('unknown-control', obligation.id, `no control ${obligation.control}`, where))
    }
    return found
  })
}

function concentrated({ pack, place, rules, others }: Subject): Problem[] {
  const index = new RuleIndex(
    [...rules.map(({ rule }) => rule), ...others.flatMap(other => other.rules)],
    reserved(others),
  )
  const detectors = new Set(
    [...rules.map(({ rule }) => rule), ...others.flatMap(other => other.rules)].flatMap(({ id, type }) =>
      type === 'secret' ? id : [],
    ),
  )
  // The detectors of secrets are hundreds, one for each format, and come as one.
  const sizes = pack.controls.map(control => {
    const bearing = index.bearingOn(control)
    const secrets = [...bearing].filter(id => detectors.has(id)).length
    return bearing.size - Math.max(0, secrets - 1)
  })
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (sizes.filter(size => size > 0).length < LEAST_CONTROLS) return []
  return pack.controls.flatMap((control, at) =>
    sizes[at]! > total * MOST_SHARE
      ? makeProblem(
          'concentrated-control',
          control.id,
          `${sizes[at]} of the ${total} mappings of rules are on ${control.id}; distribute them, or state the reason in lint_exceptions`,
          place(['controls', String(at), 'id'], 'value'),
        )
      : [],
  )
}

function reserved(packs: Subject['others']): Set<string> {
  return new Set(packs.filter(({ languages }) => languages.length === 0).map(({ id }) => id))
}

function same(a: string, b: string): boolean {
  const words = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  return words(a) === words(b)
}
