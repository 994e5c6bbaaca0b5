import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { LANGUAGES } from '../../base/languages/languages.ts'
import { SeverityType } from '../../base/records/finding-schema.ts'
import { combineControls, combineForms, groupForms } from '../../base/records/forms.ts'
import { RULE_TYPES } from '../../base/records/rule.ts'
import { resolveRuleId } from '../../base/records/rule-ids.ts'
import { findWeakness, isAbout } from '../../base/records/weaknesses.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { listFixes } from '../../detect/rules/fixes.ts'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { describeForm, FormType } from '../../sources/packs/form-schema.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { mapControlsByRule } from '../../sources/packs/pack.ts'

/** Every rule that could be switched on, with what it looks at. */
export default defineOperation({
  id: 'rules.list',
  summary: 'List the rules, by pack, language, severity or CWE.',
  effect: 'read',

  cli: 'list-rules',
  rest: 'GET /rules',
  mcp: null,

  short: { pack: 'p', language: 'l', severity: 's' },
  examples: [
    ['svc list-rules --language python', 'list rules for Python'],
    ['svc list-rules --cwe CWE-89 --json', 'list rules for SQL injection as JSON'],
    ['svc list-rules --framework owasp-top-10-2021 --control A03', 'list rules mapped to one control'],
    ['svc list-rules --search "path traversal"', 'search rules by the name of a weakness, in all languages'],
  ],

  input: type({
    'pack?': type('string').describe('a pack id'),
    'language?': type('string').describe('a language'),
    'severity?': SeverityType,
    'cwe?': type('string').describe('a CWE id, such as CWE-89 or 89'),
    'tag?': type('string').describe('a tag'),
    'type?': type
      .enumerated(...RULE_TYPES)
      .configure({ description: `a rule type (${RULE_TYPES.join(', ')})` }, 'self'),
    'framework?': type('string').describe('a framework id, to list rules mapped to its controls'),
    'control?': type('string').describe('a control id of the framework'),
    'fixable?': type('boolean').describe('true to list rules with an autofix only'),
    'canary?': type('boolean').describe('true to list canary rules only, which run if packs.canary is true'),
    'search?': type('string > 0').describe(
      'a weakness such as "SQL injection", or search words for the id, title and message',
    ),
    '+': 'reject',
  }),
  output: type({
    rules: type({
      id: 'string',
      pack_id: 'string',
      title: 'string',
      type: 'string',
      severity: SeverityType,
      languages: 'string[]',
      cwe: 'string[]',
      tags: 'string[]',
      controls: type({ framework: 'string', control: 'string' }).array(),
      fixable: type('boolean').describe('whether the rule has an autofix'),
      canary: type('boolean').describe('whether the rule is a canary: disabled by default'),
      'forms?': FormType.array().describe('of a rule in several languages, what runs in each'),
    }).array(),
    total: 'number.integer',
  }),

  async run({ pack, language, severity, cwe, tag, type: kind, framework, control, fixable, canary, search }, { cwd }) {
    const packs = await loadPacks(findRepositoryRoot(cwd))
    const all = packs.flatMap(({ rules }) => rules)
    if (pack !== undefined)
      known(
        'pack',
        pack,
        packs.map(({ id }) => id),
        WHERE_LISTED.pack,
      )
    if (language !== undefined)
      known(
        'language',
        language,
        [...LANGUAGES.keys(), ...all.flatMap(rule => rule.languages)],
        `Rules name: ${[...new Set(all.flatMap(rule => rule.languages))].sort().join(', ')}.`,
      )
    const weakness = cwe === undefined ? undefined : cweId(cwe)
    const controls = mapControlsByRule(packs, all)
    if (tag !== undefined)
      known(
        'tag',
        tag,
        all.flatMap(rule => rule.tags),
        WHERE_LISTED.tag,
      )
    if (framework !== undefined)
      known(
        'framework',
        framework,
        packs.flatMap(each => each.framework?.id ?? []),
        WHERE_LISTED.framework,
      )
    if (control !== undefined)
      known(
        'control',
        control,
        packs.flatMap(each => each.controls.map(({ id }) => id)),
        WHERE_LISTED.control,
      )
    const bears = (id: string) =>
      (framework === undefined && control === undefined) ||
      (controls.get(id) ?? []).some(
        ref =>
          (framework === undefined || ref.framework === framework) &&
          (control === undefined || ref.control === control),
      )
    const searched = search === undefined ? undefined : findWeakness(search)
    const words = search?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
    const rules = all.filter(
      rule =>
        (pack === undefined || rule.pack_id === pack) &&
        (language === undefined || rule.languages.includes(language) || rule.languages.includes('any')) &&
        (severity === undefined || rule.severity === severity) &&
        (weakness === undefined || rule.cwe.includes(weakness)) &&
        (tag === undefined || rule.tags.includes(tag)) &&
        (kind === undefined || rule.type === kind) &&
        (fixable !== true || listFixes(rule).length > 0) &&
        (canary !== true || rule.canary === true) &&
        ((searched && isAbout(searched, rule.cwe)) ||
          words.every(word =>
            `${resolveRuleId(rule.id)} ${rule.id} ${rule.title} ${rule.message}`.toLowerCase().includes(word),
          )) &&
        bears(rule.id),
    )
    const listed = [...groupForms(rules).values()].map(forms => {
      const { id, pack_id, title, type, severity, languages, cwe, tags } = combineForms(forms)
      return {
        ...{ id, pack_id, title, type, severity, languages: [...languages], cwe: [...cwe], tags: [...tags] },
        controls: combineControls(forms, controls),
        fixable: forms.some(form => listFixes(form).length > 0),
        canary: forms.every(form => form.canary === true),
        ...(forms[0]!.id !== id && { forms: forms.map(describeForm) }),
      }
    })
    return { rules: listed, total: listed.length }
  },

  text({ rules, total }, { paint }) {
    const width = Math.max(0, ...rules.map(({ id }) => id.length))
    const lines = rules.map(
      rule =>
        `${rule.id.padEnd(width)}  ${rule.severity.padEnd(8)}  ${paint('dim', rule.pack_id)}  ${rule.title}${rule.canary ? paint('dim', ' (canary)') : ''}`,
    )
    return [...lines, `${total} ${total === 1 ? 'rule' : 'rules'}. \`svc explain <rule>\` describes a rule.`].join('\n')
  },
})

/** Where a person finds the words that are too many for one line. */
const WHERE_LISTED = {
  pack: 'List the packs with `svc list-packs`.',
  framework: 'List the frameworks with `svc list-packs --kind framework`.',
  control: '`svc export-pack` with the pack of a framework prints its controls.',
  tag: '`svc list-rules --json` has the tags of each rule.',
}

/** INPUT_INVALID, with the word that was probably meant, where a word is none of those that there are. */
function known(what: string, word: string, words: readonly string[], hint: string): void {
  if (words.includes(word)) return
  const meant = findNearest(word, words)
  throw new EngineError('INPUT_INVALID', `There is no ${what} ${word}${meant ? `; did you mean ${meant}?` : '.'}`, {
    hint,
  })
}

/** `CWE-89` of `CWE-89`, `cwe-89` and `89`. */
function cweId(text: string): string {
  const number = /^(?:cwe-)?0*(\d+)$/i.exec(text)?.[1]
  if (number === undefined) throw new EngineError('INPUT_INVALID', `${text} is not a CWE id such as CWE-89.`)
  return `CWE-${number}`
}
