import { type } from 'arktype'
import type { Document } from 'yaml'
import { EngineError } from '../../base/errors.ts'
import { SeverityType } from '../../base/records/finding-schema.ts'
import { listNames } from '../../base/records/rule-ids.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { defineOperation } from '../../door/operation.ts'
import { editConfig, tryEdit } from '../../sources/config/edit.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { findPack } from '../../sources/packs/state.ts'

/** Writes packs.overrides: how rules of a pack are taken here. */
export default defineOperation({
  id: 'packs.override',
  summary: 'Override the severity of rules of a pack, or disable rules.',
  effect: 'write',
  action: 'manage_packs',
  weakens: true,
  cli: null,
  rest: 'POST /api/packs/{id}/overrides',
  mcp: null,
  input: type({
    id: type('string > 0').describe('a pack id'),
    overrides: type({
      '[string]': type({
        'enabled?': type('boolean').describe('false to disable the rule, true to enable a canary rule'),
        'severity?': SeverityType,
        '+': 'reject',
      }).or('null'),
    }).describe("a map of rule ids to overrides, or to null for the pack's defaults"),
    '+': 'reject',
  }),
  output: type({
    id: 'string',
    path: type('string').describe('the configuration file'),
    changed: 'boolean',
    overrides: type({ '[string]': type({ 'enabled?': 'boolean', 'severity?': SeverityType }) }).describe(
      'the current overrides, by rule',
    ),
  }),

  check: async (input, { cwd }) => {
    const { root, edit } = await plan(input, cwd)
    await tryEdit(root, edit)
  },

  async run(input, { cwd }) {
    const { id } = input
    const { root, rules, edit } = await plan(input, cwd)
    const { path, changed, settings } = await editConfig(root, edit)
    const all = (settings.packs as { overrides?: Record<string, object> } | undefined)?.overrides ?? {}
    return {
      id,
      path,
      changed,
      overrides: Object.fromEntries(Object.entries(all).filter(([rule]) => rules.includes(rule))),
    }
  },

  text: ({ id, path, overrides }) => `Overrides of ${id} in ${path}: ${Object.keys(overrides).join(', ') || 'none'}.`,
})

/** The edit that is asked for, and the rules of the pack; NOT_FOUND or RULE_NOT_FOUND where there is no such pack or rule. */
async function plan({ id, overrides }: { id: string; overrides: Readonly<Record<string, unknown>> }, cwd: string) {
  const root = findRepositoryRoot(cwd)
  const pack = findPack(await loadPacks(root), id)
  const rules = pack.rules.flatMap(rule => listNames(rule.id))
  for (const rule of Object.keys(overrides)) {
    if (rules.includes(rule)) continue
    const meant = findNearest(rule, rules)
    throw new EngineError(
      'RULE_NOT_FOUND',
      `The pack ${id} has no rule ${rule}${meant ? `; did you mean ${meant}?` : '.'}`,
      { hint: `List its rules with \`svc list-rules --pack ${id}\`.` },
    )
  }
  const edit = (document: Document) => {
    for (const [rule, override] of Object.entries(overrides)) {
      const at = ['packs', 'overrides', rule]
      if (override === null) document.deleteIn(at)
      else document.setIn(at, document.createNode(override))
    }
  }
  return { root, rules, edit }
}
