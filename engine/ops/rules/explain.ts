import { type } from 'arktype'
import type { Context } from '../../base/context.ts'
import { CONFIDENCE, rankSeverity } from '../../base/records/finding.ts'
import { SeverityType } from '../../base/records/finding-schema.ts'
import { combineControls, combineForms, groupForms, type RuleFacts } from '../../base/records/forms.ts'
import { listKeys, listRuleIds, resolveRuleId } from '../../base/records/rule-ids.ts'
import { findWeakness, isAbout, type Weakness } from '../../base/records/weaknesses.ts'
import type { View } from '../../base/text/view.ts'
import type { CompiledRule } from '../../detect/rules/active-rules.ts'
import { listFixes } from '../../detect/rules/fixes.ts'
import { defineOperation } from '../../door/operation.ts'
import { POLICY_PACK, POLICY_REMEDIATION, POLICY_RULES, type PolicyRule } from '../../gate/change/policy-rules.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { describeForm, FormType } from '../../sources/packs/form-schema.ts'
import { refuseUnknownRule } from '../../sources/packs/known-rule.ts'
import { loadExamples, loadPacks } from '../../sources/packs/load.ts'
import { type Mappable, mapControlsByRule, RuleIndex } from '../../sources/packs/pack.ts'
import { formatYaml, toWrittenRule } from '../../sources/packs/pack-file.ts'

/** What there is to say of a rule, or of a weakness in the form of a rule. */
const Explained = type({
  id: 'string',
  pack_id: 'string',
  type: 'string',
  title: 'string',
  message: 'string',
  severity: SeverityType,
  category: 'string',
  languages: 'string[]',
  cwe: 'string[]',
  tags: 'string[]',
  remediation: 'string',
  references: 'string[]',
  controls: type({ framework: 'string', control: 'string', why: 'string' }).array(),
  confidence: type('string').describe('the confidence of its findings, and what it depends on'),
  canary: type('boolean').describe('whether the rule is a canary: disabled by default'),
  'silent_in?': type("'tests'").describe('where the rule is skipped: test code'),
  'review?': type('true').describe('true if its matches are places to review, and no findings'),
  files: type('string[]').describe('globs of the paths it scans; all paths if empty'),
  detection: type('string').describe('the detection, as defined in the rule file'),
  fixable: 'boolean',
  'fix?': type('string').describe('the replacement that the autofix writes'),
  violating: type('string[]').describe('positive cases: code that the rule reports'),
  clean: type('string[]').describe('negative cases: code that the rule does not report'),
  'forms?': FormType.array().describe('of a rule in several languages, what runs in each'),
  'rules?': type({ id: 'string', title: 'string', severity: SeverityType, languages: 'string[]' })
    .array()
    .describe('the rules of a weakness, most severe first'),
})

/** All there is about a rule: what it finds and why that matters, how to mend it, what it takes for a fault and what not. */
export default defineOperation({
  id: 'rules.explain',
  summary: 'Explain a rule or a weakness: impact, remediation and examples.',
  effect: 'read',

  cli: 'explain <rule_id>',
  rest: 'GET /api/rules/{rule_id}',
  mcp: 'explain_rule',

  examples: [
    ['svc explain python-yaml-unsafe-load', 'explain a rule'],
    ['svc explain CWE-89', 'explain a weakness and list its rules'],
    ['svc explain "path traversal"', 'look up a weakness by name'],
  ],

  input: type({ rule_id: type('string > 0').describe('a rule id, a CWE or the name of a weakness'), '+': 'reject' }),
  output: Explained,

  async run({ rule_id }, { cwd, env }): Promise<typeof Explained.infer> {
    const policy = POLICY_RULES.find(({ id }) => id === rule_id)
    if (policy) return explainPolicy(policy)
    if (/^supply:./.test(rule_id)) return await explainDependency(rule_id, { cwd, env })
    const packs = await loadPacks(findRepositoryRoot(cwd))
    const all = packs.flatMap(({ rules }) => rules)
    const keys = new Set([rule_id, ...listKeys(rule_id)])
    const forms = all.filter(({ id }) => keys.has(id))
    const [rule] = forms
    const weakness = rule ? undefined : findWeakness(rule_id)
    if (weakness) return explainWeakness(weakness, all)
    if (!rule) throw refuseUnknownRule(rule_id, listRuleIds(all.map(({ id }) => id)))
    const bearing = mapControlsByRule(packs, all)
    const fixes = forms.flatMap(listFixes)
    // Of a rule in several languages the first examples of each tell what it is about; by the key of a form there are all of one.
    const shown = forms
      .map(form => loadExamples(form))
      .map(({ match, clean }) => ({
        violating: match.map(({ code }) => code).slice(0, forms.length > 1 ? 1 : undefined),
        clean: clean.map(({ code }) => code).slice(0, forms.length > 1 ? 1 : undefined),
      }))
    return {
      ...pickFacts(combineForms(forms)),
      controls: combineControls(forms, bearing).map(ref => ({
        ...ref,
        why: forms.map(form => whyOf(packs, ref, form)).find(why => why !== '') ?? '',
      })),
      confidence: confidenceOf(rule),
      canary: forms.every(form => form.canary === true),
      ...(forms.every(form => form.silent_in) && { silent_in: rule.silent_in! }),
      ...(forms.every(form => form.review) && { review: true as const }),
      files: [...new Set(forms.flatMap(form => form.files))],
      detection: await formatYaml(
        forms.length > 1 ? Object.fromEntries(forms.map(form => [form.id, detectionOf(form)])) : detectionOf(rule),
      ),
      fixable: fixes.length > 0,
      ...(fixes.length > 0 && { fix: fixes.join('\n') }),
      violating: shown.flatMap(({ violating }) => violating),
      clean: shown.flatMap(({ clean }) => clean),
      ...(rule.id !== resolveRuleId(rule.id) && { forms: forms.map(describeForm) }),
    }
  },

  text(rule, { paint, verbose }) {
    if (rule.rules) return formatWeakness({ ...rule, rules: rule.rules }, { paint })
    const indent = (text: string) => text.trimEnd().replace(/^/gm, '    ')
    const section = (title: string, body: string) => (body ? `\n${paint('bold', title)}\n${body}` : '')
    return [
      `${paint('bold', rule.id)}  ${rule.severity}  ${rule.languages.join(', ')}`,
      rule.title,
      section('Why it matters', `  ${rule.message}`),
      section(
        'In each language',
        (rule.forms ?? [])
          .map(form => `  ${form.key}  ${form.severity}  ${form.languages.join(', ')}  ${paint('dim', form.pack_id)}`)
          .join('\n'),
      ),
      section('How to fix it', rule.remediation.trimEnd().replace(/^/gm, '  ')),
      section('Confidence', `  ${rule.confidence}`),
      rule.canary ? section('Canary', '  Off unless packs.canary is true, or packs.overrides enables it.') : '',
      section(
        'Exceptions',
        rule.silent_in
          ? '  Not reported in test code: files on a path of tests, and files that use a test framework.'
          : '',
      ),
      rule.review
        ? section('To review', '  No findings: a reviewer decides on the places (svc scan --to-review).')
        : '',
      section('Scope', rule.files.map(glob => `  ${glob}`).join('\n')),
      verbose ? section('What it matches', indent(rule.detection)) : '',
      section('Autofix', rule.fix === undefined ? '' : indent(rule.fix)),
      section('Examples with a finding', rule.violating.map(indent).join('\n\n')),
      section('Examples without a finding', rule.clean.map(indent).join('\n\n')),
      section(
        'Controls',
        rule.controls.map(({ framework, control, why }) => `  ${framework} ${control}: ${why}`).join('\n'),
      ),
      section('References', [...rule.cwe.map(cwe => `  ${cwe}`), ...rule.references.map(url => `  ${url}`)].join('\n')),
      (rule.forms ?? []).length > 1 ? '\n`svc explain` with the id of one language prints all of its examples.' : '',
      rule.pack_id === POLICY_PACK
        ? '\nNo comment, suppression or baseline covers it.'
        : `\nTo suppress a finding with a reason: a comment \`svc-ignore: ${rule.id} -- reason\` on its line or the line before.`,
    ]
      .filter(Boolean)
      .join('\n')
  },
})

/** The facts as plain data, the long texts read: each by its name, since some are read when they are asked for and are in no list of fields. */
function pickFacts(facts: RuleFacts) {
  const { id, pack_id, type, title, message, severity, category } = facts
  const { languages, cwe, tags, remediation, references } = facts
  return {
    ...{ id, pack_id, type: type as string, title, message, severity, category: category as string },
    ...{ languages, cwe, tags, remediation, references },
  }
}

/** The keys that say what a rule finds. */
function detectionOf(rule: CompiledRule): Record<string, unknown> {
  const said = new Set([
    'id',
    'title',
    'message',
    'severity',
    'category',
    'cwe',
    'tags',
    'remediation',
    'corrected_code',
    'references',
  ])
  const written = Object.entries(toWrittenRule(rule))
  return Object.fromEntries(written.filter(([key]) => !said.has(key) && key !== 'match' && key !== 'clean'))
}

/** How sure a finding of the rule is (spec "Confidence"): syntax says itself what is code, text has to be told. */
function confidenceOf({ type: kind }: CompiledRule): string {
  const { code, test, comment, string } = CONFIDENCE
  if (kind === 'regex') return `${code} in code, ${test} in tests, ${comment} in comments, ${string} in strings.`
  if (kind === 'secret')
    return 'The confidence depends on the format, its checksum or the model: `svc secrets --explain` explains it for each finding.'
  if (kind === 'taint') return `${code}: it follows the data flow from a source to a sink.`
  return kind === 'ast' ? `${code}: it matches the syntax tree.` : `${code}.`
}

function whyOf(
  packs: Awaited<ReturnType<typeof loadPacks>>,
  { framework, control }: { framework: string; control: string },
  rule: Mappable,
): string {
  const maps =
    packs.find(pack => pack.framework?.id === framework)?.controls.find(({ id }) => id === control)?.maps ?? []
  const index = new RuleIndex([rule])
  return maps.find(map => index.selectedBy(map).length > 0)?.why ?? ''
}

type ExplainedWeakness = Pick<
  ReturnType<typeof explainWeakness>,
  'title' | 'cwe' | 'message' | 'tags' | 'references' | 'rules'
>

/** A weakness in the form of a rule, with the rules that find it. */
function explainWeakness({ name, cwe, also, gain }: Weakness, all: readonly CompiledRule[]) {
  const rules = all
    .filter(rule => isAbout({ name, cwe, also, gain }, rule.cwe))
    .sort((a, b) => rankSeverity(a.severity) - rankSeverity(b.severity) || (a.id < b.id ? -1 : 1))
  return {
    id: cwe[0]!,
    pack_id: '',
    type: 'weakness',
    title: name,
    message: gain,
    severity: rules[0]?.severity ?? ('info' as const),
    category: '',
    languages: [...new Set(rules.flatMap(({ languages }) => languages))].sort(),
    cwe: [...cwe],
    tags: [...also],
    remediation: '',
    references: cwe.map(id => `https://cwe.mitre.org/data/definitions/${id.slice('CWE-'.length)}.html`),
    controls: [],
    confidence: 'that of each rule',
    canary: false,
    files: [],
    detection: '',
    fixable: false,
    violating: [],
    clean: [],
    rules: [...groupForms(rules).values()].map(forms => {
      const { id, title, severity, languages } = combineForms(forms)
      return { id, title, severity, languages: [...languages] }
    }),
  }
}

function formatWeakness(
  { title, cwe, message, tags, references, rules }: ExplainedWeakness,
  { paint }: Pick<View, 'paint'>,
): string {
  const width = Math.max(0, ...rules.map(({ id }) => id.length))
  const lines = rules.map(rule => `  ${rule.id.padEnd(width)}  ${rule.severity.padEnd(8)}  ${rule.title}`)
  return [
    `${paint('bold', title)}  ${cwe.join(', ')}`,
    message,
    ...(tags.length > 0 ? [`Also called: ${tags.join(', ')}.`] : []),
    `\n${paint('bold', rules.length === 0 ? 'No rule finds it.' : 'Rules')}`,
    ...lines,
    `\n${paint('bold', 'References')}`,
    ...references.slice(0, 1).map(url => `  ${url}`),
    ...(rules.length > 0 ? ['\n`svc explain <rule>` explains one of them.'] : []),
  ].join('\n')
}

/** A rule about a change of the gate's own settings; it belongs to the gate and not to a pack. */
/** The rule of a vulnerable dependency: no pack has it, an advisory does. */
async function explainDependency(id: string, context: Pick<Context, 'cwd' | 'env'>) {
  const { explainAdvisory } = await import('../../supply/advisories/explain.ts')
  return {
    ...(await explainAdvisory(id, context)),
    ...{ id, pack_id: 'supply', type: 'advisory', category: 'dependency', languages: ['any'], tags: ['dependency'] },
    ...{ controls: [], canary: false, files: [], fixable: false, violating: [], clean: [] },
    confidence: '1: the version of the package is in the range of the advisory',
    detection:
      'Versions of manifests and lock files, compared with the ranges of the advisory (docs/vulnerabilities.md).',
  }
}

function explainPolicy({ id, title, message }: PolicyRule) {
  return {
    id,
    pack_id: POLICY_PACK,
    type: 'policy',
    title,
    message,
    severity: 'high' as const,
    category: 'policy',
    languages: ['any'],
    cwe: [],
    tags: ['gate'],
    remediation: POLICY_REMEDIATION,
    references: [],
    controls: [],
    confidence: '1: the settings before and after the change are compared',
    canary: false,
    files: [],
    detection:
      'The settings of the base commit and of the change (docs/suppressions.md, "Changes that weaken the gate").',
    fixable: false,
    violating: [],
    clean: [],
  }
}
