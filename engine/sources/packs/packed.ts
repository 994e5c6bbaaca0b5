import { createHash } from 'node:crypto'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import type { Pack } from './pack.ts'
import { computeDigests } from './rule-trace.ts'

/** Fields of a pack that are large; the others tell whether they are needed. */
const LARGE = ['rules', 'controls', 'obligations', 'deadlines', 'lint_exceptions'] as const
type Large = (typeof LARGE)[number]

/** Fields of a rule that are only read where it has found something, where a scan is stored, or beside rules of the repository's own. */
const TEXTS = ['message', 'remediation', 'corrected_code', 'references', 'requirement', 'digests'] as const
type Texts = Pick<CompiledRule, (typeof TEXTS)[number]>

/**
 * By the type of a rule, what it finds by where that is large: two thirds of all bytes. It is read of a rule that a file leaves a chance, which a
 * commit does of some dozens of 1,700.
 */
const BODIES: ReadonlyMap<CompiledRule['type'], string> = new Map(
  Object.entries({ rule: 'ast', resources: 'resource', detector: 'secret', sinks: 'taint' } as const).map(
    ([key, type]) => [type, key],
  ),
)

/** Lines that a pack takes in packs.json: what is small, what is large, and bodies of rules. */
const LINES = 3

/** Between bodies on their line: JSON without white space has none. */
const SEPARATOR = '\t'

/** What packs are written as, in ASCII, so that reading it copies bytes and no more. */
export interface PackedTexts {
  /** packs.json: the packs, with each rule's digest, which identifies it in caches. */
  packs: string
  /** texts.json: a line of texts for each pack, which a scan that finds nothing need not even read. */
  texts: string
}

/** The packs as they come with the program. */
export function packTexts(packs: readonly Pack[]): PackedTexts {
  const lines = packs.flatMap(pack => {
    const small = Object.fromEntries(Object.entries(pack).filter(([key]) => !LARGE.includes(key as Large)))
    const large = Object.fromEntries(
      LARGE.map(key => [key, key === 'rules' ? pack.rules.map(withoutTexts) : pack[key]]),
    )
    const bodies = pack.rules.map(rule => JSON.stringify(bodyOf(rule)) ?? '')
    return [JSON.stringify(small), JSON.stringify(large), bodies.join(SEPARATOR)].map(ascii)
  })
  const texts = packs.map(pack => ascii(JSON.stringify(pack.rules.map(textsOf))))
  return { packs: lines.join('\n'), texts: texts.join('\n') }
}

/**
 * The packs of packs.json. What a pack consists of is parsed when it is first asked for, and so are the body of each rule and the texts of all of a
 * pack, which `readTexts` gives.
 */
export function unpackTexts(text: string, readTexts: () => string): Pack[] {
  const lines = text.split('\n')
  let texts: string[] | undefined
  const packs: Pack[] = []
  for (let at = 0; at + LINES <= lines.length; at += LINES) {
    const number = packs.length
    const own = () => {
      texts ??= readTexts().split('\n')
      return texts[number]!
    }
    packs.push(lazyPack(lines[at]!, lines[at + 1]!, { texts: own, bodies: () => lines[at + 2]! }))
  }
  return packs
}

/** Digest of everything by which a rule finds something; for a rule of svc's own it was made with the program. */
export function computeRuleDigest(rule: CompiledRule): string {
  return rule.digest ?? createHash('sha256').update(JSON.stringify(rule)).digest('hex').slice(0, 16)
}

function withoutTexts(rule: CompiledRule): object {
  const isKept = (key: string) => !TEXTS.includes(key as keyof Texts) && key !== BODIES.get(rule.type)
  const lean = Object.fromEntries(Object.entries(rule).filter(([key]) => isKept(key)))
  return { ...lean, digest: computeRuleDigest(rule) }
}

function textsOf(rule: CompiledRule): unknown[] {
  const texts: Texts = { ...rule, digests: computeDigests(rule) }
  return TEXTS.map(key => texts[key])
}

function bodyOf(rule: CompiledRule): unknown {
  const key = BODIES.get(rule.type)
  return key && rule[key as keyof CompiledRule]
}

/** Lines of a pack that are read later. */
interface Later {
  texts: () => string
  bodies: () => string
}

function lazyPack(small: string, large: string, later: Later): Pack {
  const pack = JSON.parse(small) as Pack
  let parsed: Pick<Pack, Large> | undefined
  const parse = () => {
    const all = JSON.parse(large) as Pick<Pack, Large>
    addLater(all.rules, later)
    return all
  }
  for (const key of LARGE) {
    const get = () => {
      parsed ??= parse()
      return parsed[key]
    }
    Object.defineProperty(pack, key, { enumerable: true, get })
  }
  return pack
}

/** What is read later of a rule: its place in its pack, and what gives texts and bodies of all rules there. */
interface Place {
  texts: () => unknown[][]
  bodies: () => string[]
  index: number
  body?: unknown
}

const places = new WeakMap<CompiledRule, Place>()

/**
 * The same functions for each rule, told apart by the rule they are asked of: rules with functions of their own would be dictionaries to V8,
 * which take several times as long to make and to read.
 */
const TEXT_PROPERTIES: PropertyDescriptorMap = Object.fromEntries(
  TEXTS.map((key, field) => {
    const get = function (this: CompiledRule) {
      const { texts, index } = places.get(this)!
      return texts()[index]![field] ?? undefined
    }
    return [key, { enumerable: true, configurable: true, get }]
  }),
)

/** The properties of a rule of each type, with its body. */
const PROPERTIES: Partial<Record<CompiledRule['type'], PropertyDescriptorMap>> = Object.fromEntries(
  [...BODIES].map(([type, key]) => [
    type,
    { [key]: { enumerable: true, configurable: true, get: readBody }, ...TEXT_PROPERTIES },
  ]),
)

/** The same object each time: what is found out of it is kept by it. */
function readBody(this: CompiledRule): unknown {
  const place = places.get(this)!
  place.body ??= JSON.parse(place.bodies()[place.index]!)
  return place.body
}

function propertiesOf({ type }: CompiledRule): PropertyDescriptorMap {
  return PROPERTIES[type] ?? TEXT_PROPERTIES
}

function addLater(rules: readonly CompiledRule[], later: Later): void {
  let read: unknown[][] | undefined
  let split: string[] | undefined
  const texts = () => {
    read ??= JSON.parse(later.texts()) as unknown[][]
    return read
  }
  const bodies = () => {
    split ??= later.bodies().split(SEPARATOR)
    return split
  }
  rules.forEach((rule, index) => {
    places.set(rule, { texts, bodies, index })
    Object.defineProperties(rule, propertiesOf(rule))
  })
}

/** A copy of the rule with more fields: its texts and its body stay unread until somebody asks, where `{ ...rule }` would read texts of its whole pack. */
export function extendRule<T extends object>(rule: CompiledRule, fields: T): CompiledRule & T {
  const place = places.get(rule)
  if (!place) return { ...rule, ...fields }
  const copy: Record<string, unknown> = {}
  const properties = propertiesOf(rule)
  for (const key of Object.keys(rule)) if (!(key in properties)) copy[key] = rule[key as keyof CompiledRule]
  const extended = Object.defineProperties(copy, properties) as unknown as CompiledRule
  places.set(extended, place)
  return Object.assign(extended, fields)
}

function ascii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
