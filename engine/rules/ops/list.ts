import { type } from 'arktype'
import { repositoryRoot } from '../../config/load.ts'
import { SeverityType } from '../../finding-schema.ts'
import { defineOperation } from '../../operation.ts'
import { loadPacks } from '../../packs/load.ts'
import { controlsByRule } from '../../packs/pack.ts'

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
    ['svc list-rules --language python', 'rules that look at Python'],
    ['svc list-rules --cwe CWE-89 --json', 'rules for SQL injection, as JSON'],
  ],

  input: type({
    'pack?': type('string').describe('a pack id'),
    'language?': type('string').describe('a language'),
    'severity?': SeverityType,
    'cwe?': type('string').describe('a CWE such as CWE-89'),
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
      fixable: type('boolean').describe('whether the rule has a certain fix'),
    }).array(),
    total: 'number.integer',
  }),

  async run({ pack, language, severity, cwe }, { cwd }) {
    const packs = await loadPacks(repositoryRoot(cwd))
    const all = packs.flatMap(({ rules }) => rules)
    const controls = controlsByRule(packs, all)
    const rules = all
      .filter(
        rule =>
          (pack === undefined || rule.pack_id === pack) &&
          (language === undefined || rule.languages.includes(language) || rule.languages.includes('any')) &&
          (severity === undefined || rule.severity === severity) &&
          (cwe === undefined || rule.cwe.includes(cwe.toUpperCase())),
      )
      .map(rule => ({
        id: rule.id,
        pack_id: rule.pack_id,
        title: rule.title,
        type: rule.type,
        severity: rule.severity,
        languages: rule.languages,
        cwe: rule.cwe,
        tags: rule.tags,
        controls: controls.get(rule.id) ?? [],
        fixable: 'fix' in rule && rule.fix !== undefined,
      }))
    return { rules, total: rules.length }
  },

  text({ rules, total }, { paint }) {
    const width = Math.max(0, ...rules.map(({ id }) => id.length))
    const lines = rules.map(
      rule => `${rule.id.padEnd(width)}  ${rule.severity.padEnd(8)}  ${paint('dim', rule.pack_id)}  ${rule.title}`,
    )
    return [...lines, `${total} ${total === 1 ? 'rule' : 'rules'}. \`svc explain <rule>\` tells all about one.`].join(
      '\n',
    )
  },
})
