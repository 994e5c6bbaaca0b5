import { EngineError } from '../../base/errors.ts'
import type { ControlRef, Severity } from '../../base/records/finding.ts'
import { listNames } from '../../base/records/rule-ids.ts'
import { findNearest } from '../../base/text/nearest.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import { mapControlsByRule, type Pack } from './pack.ts'

/** Framework packs that are on where nothing is configured (decisions "Rules and packs"). */
const DEFAULT_FRAMEWORKS = ['owasp-top-10-2021']

/** What the configuration says of packs. */
export interface PackChoice {
  detect: boolean
  enable: readonly string[]
  disable: readonly string[]
  /** Whether rules on trial run. */
  canary?: boolean
  /** What holds for rules in place of what their pack says. */
  overrides?: Readonly<Record<string, RuleOverride>>
}

export interface RuleOverride {
  enabled?: boolean
  severity?: Severity
}

const NO_OVERRIDE: RuleOverride = {}

/** The packs that are on, the rules that run, and one sentence on why. */
export interface Selection {
  packs: Pack[]
  rules: CompiledRule[]
  controls: Map<string, ControlRef[]>
  reason: string
  /** Packs that the configuration disables though detection would switch them on. */
  disabled: string[]
}

/**
 * Chooses packs: with `detect`, the technical packs of the languages found and the default frameworks; then those enabled,
 * without those disabled. A framework pack brings the rules it maps, from whatever pack; from packs that no language turns
 * on, only those that it names. Rules on trial run where `canary` or an override asks for them. Overrides switch single rules off
 * or on, or change their severity. A pack or an overridden rule
 * that does not exist is CONFIG_INVALID.
 */
export function selectPacks(all: readonly Pack[], choice: PackChoice, languages: ReadonlySet<string>): Selection {
  if (!last || !isSame(last, { all, choice, languages }))
    last = { all, choice, languages, selection: select(all, choice, languages) }
  return last.selection
}

interface Asked {
  all: readonly Pack[]
  choice: PackChoice
  languages: ReadonlySet<string>
}

/** A scan asks twice: ahead, with the languages that the last one saw, and when its files are listed. */
let last: (Asked & { selection: Selection }) | undefined

function isSame(a: Asked, b: Asked): boolean {
  return (
    a.choice === b.choice &&
    a.all.length === b.all.length &&
    a.all.every((pack, index) => pack === b.all[index]) &&
    a.languages.size === b.languages.size &&
    [...a.languages].every(language => b.languages.has(language))
  )
}

function select(all: readonly Pack[], choice: PackChoice, languages: ReadonlySet<string>): Selection {
  const byId = new Map(all.map(pack => [pack.id, pack]))
  for (const id of [...choice.enable, ...choice.disable]) {
    if (byId.has(id)) continue
    const meant = findNearest(id, [...byId.keys()])
    throw new EngineError('CONFIG_INVALID', `There is no pack ${id}${meant ? `; did you mean ${meant}?` : '.'}`, {
      hint: 'List the packs with `svc list-packs`.',
    })
  }
  const overrides = choice.overrides ?? {}
  knownRules(all, Object.keys(overrides))
  const off = new Set(choice.disable)
  const detected = choice.detect ? all.filter(pack => fits(pack, languages) && !off.has(pack.id)) : []
  const enabled = all.filter(pack => choice.enable.includes(pack.id) && !off.has(pack.id))
  const packs = all.filter(pack => detected.includes(pack) || enabled.includes(pack))

  const frameworks = enabled.filter(pack => pack.framework)
  // Only what a framework brings can come from a pack that is not on: without one, the rules of others are not even parsed.
  const everyRule = (frameworks.length > 0 ? all : packs).flatMap(pack => (off.has(pack.id) ? [] : pack.rules))
  // A pack that no language turns on is for those who ask for it, by name or through a framework that names its rules.
  const reserved = new Set(
    all.filter(pack => pack.languages.length === 0 && !enabled.includes(pack)).map(({ id }) => id),
  )
  const mapped = mapControlsByRule(frameworks, everyRule, reserved)
  const on = new Set(packs.map(({ id }) => id))
  const isOverriding = Object.keys(overrides).length > 0
  // What is said of one form goes before what is said of a rule that was merged into it, and that before its rule in all languages.
  const overrideOf = ({ id }: CompiledRule): RuleOverride => {
    const [own = id, ...others] = listNames(id)
    return Object.assign({}, ...[...others, own].map(name => overrides[name]))
  }
  const rules: CompiledRule[] = []
  for (const rule of everyRule) {
    if (!on.has(rule.pack_id) && !mapped.has(rule.id)) continue
    const { enabled, severity } = isOverriding ? overrideOf(rule) : NO_OVERRIDE
    if (!(enabled ?? (rule.canary !== true || choice.canary === true))) continue
    rules.push(severity === undefined ? rule : { ...rule, severity })
  }
  return {
    packs,
    rules,
    controls: mapControlsByRule(packs, rules),
    reason: reasonFor(detected, enabled, choice, languages),
    disabled: all.filter(pack => choice.detect && off.has(pack.id) && fits(pack, languages)).map(({ id }) => id),
  }
}

/** CONFIG_INVALID for an override of a rule that does not exist. */
function knownRules(all: readonly Pack[], ids: readonly string[]): void {
  if (ids.length === 0) return
  const known = new Set(all.flatMap(({ rules }) => rules.flatMap(({ id }) => listNames(id))))
  for (const id of ids) {
    if (known.has(id)) continue
    const meant = findNearest(id, [...known])
    throw new EngineError(
      'CONFIG_INVALID',
      `packs.overrides contains the rule ${id}, which does not exist${meant ? `; did you mean ${meant}?` : '.'}`,
      { hint: 'List the rules with `svc list-rules`.' },
    )
  }
}

function fits(pack: Pack, languages: ReadonlySet<string>): boolean {
  if (pack.framework) return DEFAULT_FRAMEWORKS.includes(pack.id)
  return pack.languages.some(language => language === 'any' || languages.has(language))
}

function reasonFor(
  detected: readonly Pack[],
  enabled: readonly Pack[],
  { detect, disable }: PackChoice,
  languages: ReadonlySet<string>,
): string {
  const parts: string[] = []
  if (detect) {
    const known = [...languages].filter(language => detected.some(pack => pack.languages.includes(language))).sort()
    parts.push(
      `${list(detected)} for ${known.length ? `${known.join(', ')} and every repository` : 'every repository'}`,
    )
  }
  if (enabled.length > 0) parts.push(`${list(enabled)} as configured`)
  if (disable.length > 0) parts.push(`without ${disable.join(', ')}`)
  return `Packs: ${parts.join('; ') || 'none'}.`
}

function list(packs: readonly Pack[]): string {
  return packs.map(({ id }) => id).join(', ') || 'none'
}
