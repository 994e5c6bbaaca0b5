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

/** Lines that a pack takes in packs.json: what is small, and what is large. */
const LINES = 2

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
    return [small, large].map(part => ascii(JSON.stringify(part)))
  })
  const texts = packs.map(pack => ascii(JSON.stringify(pack.rules.map(textsOf))))
  return { packs: lines.join('\n'), texts: texts.join('\n') }
}

/** The packs of packs.json. What a pack consists of is parsed when it is first asked for, and so are the texts of its rules, which `readTexts` gives. */
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
    packs.push(lazyPack(lines[at]!, lines[at + 1]!, own))
  }
  return packs
}

/** Digest of everything by which a rule finds something; for a rule of svc's own it was made with the program. */
export function computeRuleDigest(rule: CompiledRule): string {
  return rule.digest ?? createHash('sha256').update(JSON.stringify(rule)).digest('hex').slice(0, 16)
}

function withoutTexts(rule: CompiledRule): object {
  const lean = Object.fromEntries(Object.entries(rule).filter(([key]) => !TEXTS.includes(key as keyof Texts)))
  return { ...lean, digest: computeRuleDigest(rule) }
}

function textsOf(rule: CompiledRule): unknown[] {
  const texts: Texts = { ...rule, digests: computeDigests(rule) }
  return TEXTS.map(key => texts[key])
}

function lazyPack(small: string, large: string, texts: () => string): Pack {
  const pack = JSON.parse(small) as Pack
  let parsed: Pick<Pack, Large> | undefined
  const parse = () => {
    const all = JSON.parse(large) as Pick<Pack, Large>
    addTexts(all.rules, texts)
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

/** Where the texts of a rule are: what gives those of its pack, and its place among them. */
interface TextsPlace {
  read: () => unknown[][]
  index: number
}

const places = new WeakMap<CompiledRule, TextsPlace>()

/**
 * The same functions for each rule, told apart by the rule they are asked of: rules with functions of their own would be dictionaries to V8,
 * which take several times as long to make and to read.
 */
const TEXT_PROPERTIES: PropertyDescriptorMap = Object.fromEntries(
  TEXTS.map((key, field) => {
    const get = function (this: CompiledRule) {
      const { read, index } = places.get(this)!
      return read()[index]![field] ?? undefined
    }
    return [key, { enumerable: true, configurable: true, get }]
  }),
)

function addTexts(rules: readonly CompiledRule[], json: () => string): void {
  let texts: unknown[][] | undefined
  const read = () => {
    texts ??= JSON.parse(json()) as unknown[][]
    return texts
  }
  rules.forEach((rule, index) => {
    places.set(rule, { read, index })
    Object.defineProperties(rule, TEXT_PROPERTIES)
  })
}

/** A copy of the rule with more fields: its texts stay unread until somebody asks, where `{ ...rule }` would read those of its whole pack. */
export function extendRule<T extends object>(rule: CompiledRule, fields: T): CompiledRule & T {
  const place = places.get(rule)
  if (!place) return { ...rule, ...fields }
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(rule)) if (!(key in TEXT_PROPERTIES)) copy[key] = rule[key as keyof CompiledRule]
  const extended = Object.defineProperties(copy, TEXT_PROPERTIES) as unknown as CompiledRule
  places.set(extended, place)
  return Object.assign(extended, fields)
}

function ascii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
