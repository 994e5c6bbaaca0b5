import { type ControlRef, rankSeverity } from './finding.ts'
import { remediationOf } from './remediation.ts'
import type { PackedRule } from './rule.ts'
import { findWeaknessRule, resolveRuleId } from './rule-ids.ts'

/** What is shown as the pack of a rule whose forms belong to several. */
export const WEAKNESSES = 'weaknesses'

/** The rules by the ids that people see, in the order in which each is first met: the forms of a rule by weakness stand together. */
export function groupForms<R extends { id: string }>(rules: Iterable<R>): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const rule of rules) {
    const id = resolveRuleId(rule.id)
    const group = groups.get(id)
    if (group) group.push(rule)
    else groups.set(id, [rule])
  }
  return groups
}

/** What a rule says of itself, whatever finds it. */
export type RuleFacts = Pick<
  PackedRule,
  | 'id'
  | 'pack_id'
  | 'title'
  | 'message'
  | 'severity'
  | 'category'
  | 'type'
  | 'languages'
  | 'cwe'
  | 'tags'
  | 'remediation'
  | 'references'
>

/** What a rule of one form says. */
class OneForm implements RuleFacts {
  readonly id: string
  readonly pack_id: string
  readonly title: string
  readonly severity: PackedRule['severity']
  readonly category: PackedRule['category']
  readonly type: PackedRule['type']
  readonly languages: PackedRule['languages']
  readonly cwe: PackedRule['cwe']
  readonly tags: PackedRule['tags']
  readonly #form: PackedRule

  constructor(id: string, form: PackedRule) {
    this.id = id
    this.pack_id = form.pack_id
    this.title = form.title
    this.severity = form.severity
    this.category = form.category
    this.type = form.type
    this.languages = form.languages
    this.cwe = form.cwe
    this.tags = form.tags
    this.#form = form
  }

  get message(): PackedRule['message'] {
    return this.#form.message
  }

  get remediation(): PackedRule['remediation'] {
    return remediationOf(this.#form)
  }

  get references(): PackedRule['references'] {
    return this.#form.references
  }
}

/**
 * A rule as people see it, from those of its forms that are given (one at least): one form speaks for itself, several by what their rule
 * says of all, with the worst of their severities and the remediation of each language. Long texts are read when they are asked for.
 */
export function combineForms(forms: readonly PackedRule[]): RuleFacts {
  const first = forms[0]!
  const id = resolveRuleId(first.id)
  const rule = findWeaknessRule(id)
  if (!rule || forms.length === 1) return new OneForm(id, first)
  const [worst] = forms.toSorted((a, b) => rankSeverity(a.severity) - rankSeverity(b.severity))
  const packs = new Set(forms.map(({ pack_id }) => pack_id))
  return {
    ...pickSmall(first),
    id,
    pack_id: packs.size === 1 ? first.pack_id : WEAKNESSES,
    title: rule.title,
    severity: worst!.severity,
    languages: joinAll(forms, 'languages'),
    cwe: joinAll(forms, 'cwe'),
    tags: joinAll(forms, 'tags'),
    get message() {
      return rule.message
    },
    get remediation() {
      return combineRemediations(forms)
    },
    get references() {
      return joinAll(forms, 'references')
    },
  }
}

/** The controls that the forms of a rule bear on, each once. */
export function combineControls(
  forms: readonly { id: string }[],
  controls: ReadonlyMap<string, readonly ControlRef[]>,
): ControlRef[] {
  const all = forms.flatMap(({ id }) => controls.get(id) ?? [])
  return [...new Map(all.map(ref => [`${ref.framework} ${ref.control}`, ref])).values()]
}

/** A remediation for each language, one for several languages where they have the same. */
function combineRemediations(forms: readonly PackedRule[]): string {
  const byText = new Map<string, Set<string>>()
  for (const form of forms) {
    const text = remediationOf(form).trimEnd()
    const known = byText.get(text) ?? new Set()
    for (const language of form.languages) known.add(language)
    byText.set(text, known)
  }
  if (byText.size === 1) return remediationOf(forms[0]!)
  return `${[...byText].map(([text, languages]) => `${[...languages].join(', ')}: ${text}`).join('\n\n')}\n`
}

function joinAll(forms: readonly PackedRule[], key: 'languages' | 'cwe' | 'tags' | 'references'): string[] {
  return [...new Set(forms.flatMap(form => form[key]))]
}

function pickSmall({ pack_id, title, severity, category, type, languages, cwe, tags }: PackedRule) {
  return { pack_id, title, severity, category, type, languages, cwe, tags }
}
