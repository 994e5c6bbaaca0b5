import type { ControlRef } from '../../base/records/finding.ts'
import type { ControlKind } from '../../base/records/rule.ts'
import { listKeys } from '../../base/records/rule-ids.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'

/** A control of a framework, in our own words, and what bears on it. */
export interface Control {
  id: string
  title: string
  /** One line. */
  meaning: string
  kind: ControlKind
  maps: ControlMap[]
}

/** Rules that bear on a control: named, or all that carry one of these CWEs or tags. */
export interface ControlMap {
  rules: string[]
  cwe: string[]
  tags: string[]
  /** Why these rules bear on the control, in one line. */
  why: string
}

/** Something that a person must show, since no tool can see it. */
export interface Obligation {
  id: string
  control: string
  title: string
  evidence: string
  /** Globs of files that can be the evidence; empty where only a person can bring it. */
  files: string[]
}

/** The framework that a framework pack maps: whose, which edition, from when. */
export interface Framework {
  id: string
  name: string
  edition: string
  /** ISO date of the edition; a year or month where the day is not known. */
  date: string
  /** Address of the edition's own text, or of its publisher's page. */
  source?: string
  /** How many controls the whole framework has, those included that the pack does not carry. */
  controls_total?: number
}

/** A day on which a framework begins to bind, or changes. */
export interface Deadline {
  /** ISO date. */
  date: string
  title: string
  /** What holds from that day, in one line. */
  meaning: string
  /** Address of the text that sets the day. */
  source: string
}

/** A complaint of `lint-pack` that is accepted, with the reason. */
export interface LintException {
  check: string
  /** The rules or controls that it is accepted for; all where empty. */
  on: string[]
  reason: string
}

/** A pack as it is used: technical packs have rules, framework packs have controls. Plain data. */
export interface Pack {
  id: string
  version: string
  name: string
  description: string
  tier: string
  /** Languages whose presence turns a technical pack on; `any` is always on. With none it is on only where it is asked for. */
  languages: string[]
  framework?: Framework
  rules: CompiledRule[]
  obligations: Obligation[]
  controls: Control[]
  deadlines: Deadline[]
  lint_exceptions: LintException[]
}

/** What a mapping looks at of a rule. */
export interface Mappable {
  id: string
  pack_id: string
  cwe: readonly string[]
  tags: readonly string[]
  /** A control is never judged by what a reviewer decides. */
  review?: true
}

/** Rules by what mappings select them by. */
export class RuleIndex {
  readonly #ids = new Set<string>()
  readonly #byCwe = new Map<string, string[]>()
  readonly #byTag = new Map<string, string[]>()

  /**
   * `reserved` names packs whose rules a mapping takes only by their ids: what most code need not keep would otherwise come
   * along with its CWE number. `asked` names the tags that are asked for, where not all are: each provider of secrets is a tag.
   */
  constructor(rules: readonly Mappable[], reserved: ReadonlySet<string> = new Set(), asked?: ReadonlySet<string>) {
    for (const { id, pack_id, cwe, tags, review } of rules) {
      if (review) continue
      this.#ids.add(id)
      if (reserved.has(pack_id)) continue
      for (const number of cwe) push(this.#byCwe, number, id)
      for (const tag of tags) if (asked?.has(tag) ?? true) push(this.#byTag, tag, id)
    }
  }

  /** The rules that bear on a control, each once, in the order of its mappings. */
  bearingOn({ maps }: Pick<Control, 'maps'>): Set<string> {
    const bearing = new Set<string>()
    for (const map of maps) for (const id of this.selectedBy(map)) bearing.add(id)
    return bearing
  }

  /** The rules that one mapping selects. */
  selectedBy({ rules, cwe, tags }: ControlMap): string[] {
    return [
      ...rules.flatMap(id => listKeys(id).filter(key => this.#ids.has(key))),
      ...cwe.flatMap(number => this.#byCwe.get(number) ?? []),
      ...tags.flatMap(tag => this.#byTag.get(tag) ?? []),
    ]
  }
}

/** The controls that each rule bears on, over the given packs, in the packs' order. */
export function mapControlsByRule(
  packs: readonly Pack[],
  rules: readonly Mappable[],
  reserved?: ReadonlySet<string>,
): Map<string, ControlRef[]> {
  const byRule = new Map<string, ControlRef[]>()
  const frameworks = packs.filter(({ framework }) => framework)
  // A commit hook mostly asks with no framework at all.
  if (frameworks.length === 0) return byRule
  const tags = frameworks.flatMap(({ controls }) => controls.flatMap(({ maps }) => maps.flatMap(map => map.tags)))
  const index = new RuleIndex(rules, reserved, new Set(tags))
  for (const { framework, controls } of frameworks) {
    for (const control of controls) {
      const ref: ControlRef = { framework: framework!.id, control: control.id }
      for (const id of index.bearingOn(control)) push(byRule, id, ref)
    }
  }
  return byRule
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}
