import { type } from 'arktype'
import { SeverityType } from '../../base/records/finding-schema.ts'
import { formatRuleId } from '../../base/records/rule-ids.ts'
import type { Style } from '../../base/text/view.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { makeChangelog, type RuleChange } from '../../sources/packs/changelog.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { listLanguages, listScannedFiles } from '../../sources/packs/scanned.ts'
import { selectPacks } from '../../sources/packs/select.ts'
import { makeSnapshot, readSnapshot } from '../../sources/packs/snapshot.ts'
import { locateOutput } from '../../sources/store/output-directory.ts'

const STYLE: Record<RuleChange['change'], Style> = { added: 'green', removed: 'red', changed: 'yellow' }

/** Why the next scan may find something else although no code has changed. */
export default defineOperation({
  id: 'packs.changelog',
  summary: 'Show the changes in the enabled packs since the latest scan, per rule.',
  effect: 'read',
  cli: 'pack-changelog',
  rest: null,
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    since: type('string').describe('the run whose packs are compared'),
    taken_at: 'string',
    packs: type({
      pack_id: 'string',
      change: type("'enabled' | 'disabled' | 'version'").configure(
        { description: 'enabled, disabled or version' },
        'self',
      ),
      'before?': 'string',
      'after?': 'string',
    }).array(),
    rules: type({
      pack_id: 'string',
      rule_id: 'string',
      'key?': type('string').describe('the key of the form, where the rule has several'),
      title: 'string',
      change: type("'added' | 'removed' | 'changed'").configure({ description: 'added, removed or changed' }, 'self'),
      'severity?': type({ before: SeverityType, after: SeverityType }),
      'detection?': type('boolean').describe('whether the detection changed'),
      'wording?': type('boolean').describe('whether the wording changed'),
    }).array(),
  }),
  examples: [['svc pack-changelog', 'list the rule changes that affect the next scan']],

  async run(_input, { cwd, env, signal }) {
    const config = await loadConfig(cwd, { env })
    const before = readSnapshot(locateOutput(config.root, env, config.output_dir))
    const languages = listLanguages(await listScannedFiles(config, signal))
    const { packs, rules } = selectPacks(await loadPacks(config.root), config.packs, languages)
    const after = makeSnapshot({ id: '', finished_at: '' }, packs, rules)
    return { since: before.run_id, taken_at: before.taken_at, ...makeChangelog(before, after) }
  },

  text({ since, taken_at, packs, rules }, { paint }) {
    if (packs.length + rules.length === 0) return `Nothing has changed in the packs since run ${since} of ${taken_at}.`
    const ofPack = packs.map(({ pack_id, change, before, after }) =>
      change === 'version' ? `${pack_id} ${before} → ${after}` : `${pack_id} ${change}`,
    )
    const ofRule = rules.map(rule => {
      const what = [
        rule.severity ? `severity ${rule.severity.before} → ${rule.severity.after}` : '',
        rule.detection ? 'finds something else' : '',
        rule.wording ? 'reworded' : '',
      ]
      const detail = what.filter(Boolean).join(', ')
      return `${paint(STYLE[rule.change], rule.change.padEnd(7))}  ${formatRuleId(rule.key ?? rule.rule_id)}  ${detail || rule.title}`
    })
    return [
      `Since run ${since} of ${taken_at}:`,
      ...ofPack,
      ...ofRule,
      `${formatCount(rules.length, 'rule')} changed.`,
    ].join('\n')
  },
})
