import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { askAboutDrift } from '../../delivery/drift/ask.ts'
import { confirmRequirements } from '../../delivery/drift/confirm.ts'
import { detectDrift, hasPassed } from '../../delivery/drift/detect.ts'
import { DriftType, HeldDriftType, UnknownDriftType } from '../../delivery/drift/schema.ts'
import { formatDrift } from '../../delivery/drift/text.ts'
import { readLinks } from '../../delivery/trace/gather.ts'
import { listRepository, refuseWithoutRequirements, reportProgress } from '../../delivery/trace/listing.ts'
import { defineOperation } from '../../door/operation.ts'
import { refuseAgent } from '../../governance/acting-agent.ts'
import type { GovernedContext } from '../../governance/context.ts'
import { EXCHANGE_OPTIONS } from '../../review/llm/exchange-schema.ts'
import { PlannedType } from '../../review/llm/planned-schema.ts'
import { formatPlanned } from '../../review/llm/planned-text.ts'
import { tryGit } from '../../sources/repository/git.ts'

/** Verifies requirements against code, or records that a user confirmed them. */
export default defineOperation({
  id: 'delivery.verify-reqs',
  summary:
    'Verify that the code is what it was when the requirements were confirmed; confirm them anew with --confirm.',
  effect: 'write',
  action: ({ confirm }) => (confirm ? 'edit_config' : 'read_findings'),
  cli: 'verify-reqs [ids]',
  rest: null,
  mcp: null,
  examples: [
    ['svc verify-reqs', 'verify every confirmed requirement: exit 1 on drift'],
    ['svc verify-reqs REQ-1 REQ-2 --confirm', 'record that the code does what the two requirements ask for'],
  ],
  input: type({
    'ids?': type('string > 0').array().describe('ids of requirements (default: all)'),
    confirm: type('boolean')
      .describe('true or false: record in requirements.yaml what the linked code is now')
      .default(false),
    'by?': type('0 < string <= 500').describe("the name of the reviewer who confirms (default: git's user.name)"),
    ...EXCHANGE_OPTIONS,
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    passed: type('boolean').describe('whether no drift was found, and every confirmed requirement could be compared'),
    verified: type('string[]').describe('confirmed requirements without drift'),
    drifts: DriftType.array(),
    not_evaluated: UnknownDriftType.array().describe('what was not judged: neither drift nor none'),
    held: HeldDriftType.array().describe(
      'what a configured model finds to hold, with a line; it verifies nothing by itself',
    ),
    unconfirmed: 'string[]',
    compared: 'number.integer >= 0',
    confirmed: type('string[]').describe('requirements that were confirmed now'),
    left: type({ id: 'string', reason: 'string' }).array().describe('requirements that could not be confirmed'),
    written: 'string[]',
    'planned?': PlannedType.array().describe('with dry_run: the requests that would be sent'),
    'unsent?': type('string').describe('with dry_run: why nothing more would be sent'),
  }),

  check: (input, context) => requireReviewer(input, context),

  async run(input, context) {
    const { ids, confirm, by, config: path, dry_run, record, replay } = input
    requireReviewer(input, context)
    const { config, listing } = await listRepository(context, path)
    const { signal } = context
    const maxBytes = config.scan.max_file_bytes
    const onProgress = reportProgress(context, 'verify')
    const linked = await readLinks({ config, listing, signal, onProgress })
    if (linked.set.sources.length === 0) throw refuseWithoutRequirements()
    for (const id of ids ?? [])
      if (!linked.set.byId.has(id)) throw new EngineError('NOT_FOUND', `There is no requirement ${id}.`)
    const none = { confirmed: [], left: [], written: [] }
    const recorded = confirm
      ? await confirmRequirements(linked, {
          ...{ listing, maxBytes, ids, signal, at: readTime(context.env) },
          by: by ?? (await readUser(config.root)),
        })
      : none
    const now = confirm ? await readLinks({ config, listing, signal }) : linked
    const wanted = ids && new Set(ids)
    const detected = await detectDrift(now, {
      ...{ listing, maxBytes, signal, includes: ({ id }) => wanted?.has(id) ?? true },
    })
    const { drifts, unknown, unconfirmed, compared, held, planned, unsent } = await askAboutDrift(detected, now, {
      ...{ config, listing, context, flags: { dry_run, record, replay } },
    })
    // A changed body that a model finds to hold is not verified: only a reviewer confirms.
    const changed = detected.unknown.filter(({ type: kind }) => kind !== 'acceptance_criteria')
    const drifted = new Set([...drifts, ...changed].map(({ id }) => id))
    const open = new Set(unconfirmed)
    const verified = [...now.set.byId.values()].flatMap(({ id, status }) =>
      status !== 'obsolete' && (wanted?.has(id) ?? true) && !open.has(id) && !drifted.has(id) ? [id] : [],
    )
    return {
      passed: hasPassed({ drifts, unknown }),
      verified,
      drifts,
      not_evaluated: unknown,
      held,
      unconfirmed,
      compared,
      ...recorded,
      ...(planned && { planned, unsent }),
    }
  },

  text({ confirmed, left, not_evaluated: unknown, planned, unsent, ...result }, view) {
    if (planned) return formatPlanned(planned, { reason: unsent })
    return [
      ...(confirmed.length > 0
        ? [
            `Confirmed: ${confirmed.slice(0, 20).join(', ')}${confirmed.length > 20 ? ` and ${confirmed.length - 20} more` : ''}.`,
          ]
        : []),
      ...left
        .slice(0, 20)
        .map(({ id, reason }) => `${view.paint('yellow', 'not confirmed')}  ${escapeInvisibleLine(id)}  ${reason}`),
      formatDrift({ ...result, unknown } as never, view),
    ].join('\n')
  },
  // A dry run judges nothing.
  exit: ({ passed, planned }) => (passed || planned ? 0 : 1),
})

/** INPUT_INVALID or FORBIDDEN where nothing may be confirmed: what a reviewer confirmed is no drift any more, so no agent confirms its own work. */
function requireReviewer({ confirm, dry_run }: { confirm: boolean; dry_run: boolean }, context: GovernedContext): void {
  if (confirm && dry_run)
    throw new EngineError('INPUT_INVALID', 'confirm records what the code is now, and dry_run writes nothing.')
  if (confirm) refuseAgent(context, 'A confirmation')
}

function readTime(env: Readonly<Record<string, string | undefined>>): string {
  const epoch = env.SOURCE_DATE_EPOCH ?? ''
  return new Date(/^\d{1,12}$/.test(epoch) ? Number(epoch) * 1000 : Date.now()).toISOString()
}

async function readUser(root: string): Promise<string> {
  const { code, stdout } = await tryGit(root, ['config', 'user.name'])
  const name = stdout.toString('utf8').trim()
  if (code === 0 && name !== '') return name.slice(0, 500)
  throw new EngineError('INPUT_INVALID', 'Nobody is named who confirms, and git has no user.name.', {
    hint: 'Pass --by with the name of the reviewer.',
  })
}
