import { type } from 'arktype'
import { formatRuleId } from '../../base/records/rule-ids.ts'
import type { Paint } from '../../base/text/view.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { diffPacks, isSame, type PackDiff } from '../../sources/packs/diff.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { findNamedPack } from '../../sources/packs/named.ts'
import { findPack } from '../../sources/packs/state.ts'

const Kind = type("'rule' | 'control' | 'obligation'").configure({ description: 'rule, control or obligation' }, 'self')
const Part = type({ kind: Kind, id: 'string', title: 'string' })
const Change = type({ key: 'string', 'before?': 'unknown', 'after?': 'unknown' })

/** What is different between two versions of a pack, part by part and key by key. */
export default defineOperation({
  id: 'packs.diff',
  summary: 'Compare a pack with an older version of it, or with another pack.',
  effect: 'read',
  cli: 'diff-packs <id> <old>',
  rest: null,
  mcp: null,
  input: type({
    id: type('string > 0').describe('the id of the pack to compare'),
    old: type('string > 0').describe(
      'the pack to compare with: a pack file, a directory, - for standard input, or a pack id',
    ),
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    id: 'string',
    version: 'string',
    old: type({ id: 'string', version: 'string' }),
    same: 'boolean',
    head: Change.array().describe('keys of the pack itself'),
    added: Part.array(),
    removed: Part.array(),
    changed: Part.and({ changes: Change.array() }).array(),
  }),
  examples: [
    ['svc export-pack acme > acme-1.yaml', 'export a version for comparison'],
    ['svc diff-packs acme acme-1.yaml', 'compare with the exported version'],
    ['svc diff-packs owasp-top-10-2025 owasp-top-10-2021', 'compare two packs'],
  ],

  async run({ id, old, config }, context) {
    const { root } = await loadConfig(context.cwd, { env: context.env, ...(config !== undefined && { path: config }) })
    const packs = await loadPacks(root)
    const after = findPack(packs, id)
    const before = await findNamedPack(old, packs, context)
    const diff = diffPacks(before, after)
    return { id, version: after.version, old: { id: before.id, version: before.version }, same: isSame(diff), ...diff }
  },

  text({ id, version, old, same, ...diff }, { paint, verbose }) {
    const title = `${old.id} ${old.version} → ${id} ${version}`
    return same ? `${title}: no difference.` : [title, ...lines(diff, paint, verbose)].join('\n')
  },
})

function lines({ head, added, removed, changed }: PackDiff, paint: Paint, verbose: boolean): string[] {
  const keys = (changes: PackDiff['head']) => changes.map(({ key }) => key).join(', ')
  const values = (changes: PackDiff['head']) =>
    verbose
      ? changes.flatMap(({ key, before, after }) => [
          `      ${key}`,
          ...(before === undefined ? [] : [paint('red', `      - ${JSON.stringify(before)}`)]),
          ...(after === undefined ? [] : [paint('green', `      + ${JSON.stringify(after)}`)]),
        ])
      : []
  const name = (kind: string, id: string) => (kind === 'rule' ? formatRuleId(id) : id)
  return [
    ...(head.length > 0 ? [`  pack: ${keys(head)}`, ...values(head)] : []),
    ...added.map(({ kind, id, title }) => paint('green', `+ ${kind} ${name(kind, id)}  ${title}`)),
    ...removed.map(({ kind, id, title }) => paint('red', `- ${kind} ${name(kind, id)}  ${title}`)),
    ...changed.flatMap(({ kind, id, changes }) => [
      paint('yellow', `~ ${kind} ${name(kind, id)}  ${keys(changes)}`),
      ...values(changes),
    ]),
    `${added.length} added, ${removed.length} removed, ${changed.length} changed.${verbose ? '' : ' -v shows the values.'}`,
  ]
}
