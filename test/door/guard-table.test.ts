import { expect, it } from 'vitest'
import { OPERATIONS } from '../../engine/door/operations.gen.ts'
import { decide, type Facts } from '../../engine/governance/decide.ts'
import { makeDefaultPolicy } from '../../engine/governance/policy.ts'
import { ACTIONS, type Action } from '../../engine/governance/trust.ts'
import { TRUST_LEVELS, type TrustLevel } from '../../engine/sources/config/values.ts'

// The spec's table of trust levels, written down once more: what each level adds to the one below it.
const ADDS: Record<TrustLevel, readonly Action[]> = {
  none: [],
  read: ['read_findings', 'read_audit', 'read_metrics'],
  scan: ['run_scan', 'run_gate'],
  'fix:low': ['auto_fix_info', 'auto_fix_low'],
  'fix:any': ['auto_fix_medium', 'auto_fix_high', 'auto_fix_critical', 'add_dependency', 'create_pr'],
  admin: ['edit_config', 'manage_packs', 'grant_scope', 'resolve_approval'],
}

/**
 * The lowest trust that each operation takes where a policy blocks; `free` takes none. An operation that is not here must
 * take what the safe default takes: read where it reads, admin where it changes anything. To ask for less, stand here.
 */
const TAKES: Record<TrustLevel | 'free', string> = {
  free: `delivery.oauth-callback fleet.webhook auditor.portal auditor.download doctor.check doctor.guide doctor.version serve.mcp governance.agent-check governance.agent-hook governance.agent-resident governance.agent-status
    governance.blast-check governance.check-grant governance.task-scope governance.task-token
    governance.zones`,
  none: '',
  read: `governance.anomaly-scan governance.harness-report assure.attest assure.attest-key-public assure.ai-attribution license.show auditor.list assure.export-audit assure.history-report assure.report assure.run-report audit.anchor audit.export audit.list audit.verify
    config.show config.validate findings.list findings.next-action findings.summary findings.suppressions
    governance.agent-list governance.agents-active governance.agents-activity governance.approval governance.approval-status
    governance.approvals governance.grants governance.release-grant governance.request-approval governance.request-grant
    governance.settings governance.task-bind governance.task-chain governance.task-complete governance.task-delegate
    governance.task-list governance.wait-approval hook.status repository.suggest-excludes rules.explain rules.list rules.test
    sdk.context sdk.rules serve.dashboard store.compare store.metrics store.run store.runs store.trends
    delivery.devops-status delivery.test-connection packs.changelog packs.diff packs.export packs.gap packs.lint packs.lint-yaml packs.list packs.suggest
    assure.compliance-map assure.compliance-report assure.evidence-export assure.risk-summary assure.trust-center
    delivery.trace delivery.drift-scan
    quality.expertise quality.profile quality.score`,
  scan: `assure.grc-push findings.context hook.edited hook.scan scan.file scan.run scan.snippet scan.stream external.analyze-cpp sdk.check sdk.inline secrets.scan serve.lsp supply.licenses`,
  'fix:low': 'fixes.patch governance.task-rollback hook.fix',
  'fix:any': 'fixes.apply supply.vuln-fix',
  admin: `audit.prune config.init config.migrate governance.agent-freeze governance.agent-register
    governance.agent-revoke governance.agent-unfreeze governance.approve governance.grant governance.revoke-grant
    governance.update-settings hook.install hook.uninstall store.prune
    packs.add packs.create packs.delete packs.import packs.manage packs.override packs.remove specs.import`,
}

/** Operations that ask by their input. */
const BY_INPUT: Record<string, readonly Action[]> = {
  'assistants.audit': ['run_scan', 'edit_config'],
  'assistants.init': ['read_findings', 'edit_config'],
  'account.login': ['read_findings', 'edit_config'],
  'architecture.check': ['read_findings', 'edit_config'],
  'config.exclude': ['read_findings', 'edit_config'],
  'config.update': ['read_findings', 'edit_config'],
  'delivery.reconcile': ['read_findings', 'create_pr'],
  'delivery.sync': ['read_findings', 'create_pr'],
  'external.detect': ['read_findings', 'edit_config'],
  'external.trust': ['read_findings', 'edit_config'],
  'gate.check': ['run_gate', 'create_pr'],
  'findings.suppress': ['read_findings', 'edit_config'],
  'fixes.edit': ['edit_config', 'auto_fix_high'],
  'delivery.generate-reqs': ['read_findings', 'edit_config'],
  'delivery.verify-reqs': ['read_findings', 'edit_config'],
  'policies.check': ['run_scan', 'edit_config'],
  'review.design': ['read_findings', 'resolve_approval'],
  'review.threats': ['read_findings', 'resolve_approval'],
  'scan.merge': ['run_scan', 'run_gate'],
  'scan.watch': ['run_scan', 'create_pr'],
  'supply.vulns': ['run_scan', 'create_pr'],
}

const policy = {
  ...makeDefaultPolicy(),
  agent_defaults: { ...makeDefaultPolicy().agent_defaults, queue_action: 'block' as const },
}

/** What the guard says of an agent of this trust without anything else in its way. */
function allows(trust: TrustLevel, action: Action): boolean {
  const facts: Facts = {
    ...{
      policy,
      agent: 'a',
      person: false,
      credential: 'none',
      frozen: false,
      trust,
      granted: [],
      bound: false,
      action,
    },
    ...{ unbound: false, outside: [], unclear: [], protected: [], zones: [] },
  }
  return decide(facts).decision === 'allowed'
}

it('each trust level allows what the specification says, and what every lower one does', () => {
  const allowed: Action[] = []
  for (const level of TRUST_LEVELS) {
    allowed.push(...ADDS[level])
    const said = (Object.keys(ACTIONS) as Action[]).filter(action => allows(level, action))
    expect(new Set(said), level).toEqual(new Set(allowed))
  }
})

it('every operation takes exactly the trust that the table says, or the safe default, at every level', () => {
  const wanted = new Map<string, TrustLevel | 'free'>()
  for (const [level, ids] of Object.entries(TAKES))
    for (const id of ids.split(/\s+/)) if (id) wanted.set(id, level as TrustLevel)
  const plain = OPERATIONS.filter(({ id }) => !(id in BY_INPUT))
  for (const { id, action, effect } of plain) {
    const takes = wanted.get(id) ?? (effect === 'read' ? 'read' : 'admin')
    if (takes === 'free') {
      expect(action, id).toBeNull()
      continue
    }
    for (const level of TRUST_LEVELS) {
      const enough = TRUST_LEVELS.indexOf(level) >= TRUST_LEVELS.indexOf(takes)
      expect(allows(level, action as Action), `${id} at ${level}`).toBe(enough)
    }
  }
})

it('operations that ask by their input are named with all that they may ask', async () => {
  const asking = OPERATIONS.filter(({ action }) => action === 'by-input').map(({ id }) => id)
  expect(asking.sort()).toEqual(Object.keys(BY_INPUT).sort())
  for (const [id, actions] of Object.entries(BY_INPUT)) {
    const { default: operation } = await OPERATIONS.find(row => row.id === id)!.load()
    const ask = operation.action as unknown as (input: object) => Action
    const [least, most] = [
      ask({ list: true, status: true }),
      ask({
        list: false,
        write: true,
        withdraw: true,
        init: true,
        fix: true,
        decorate_pr: true,
        create_pr: true,
        yes: true,
        create: true,
        ack: 'DD-1',
        mitigate: 'TM-1',
        dry_run: true,
        connect: true,
        confirm: true,
        gate: true,
      }),
    ]
    expect(new Set([least, most]), id).toEqual(new Set(actions))
  }
})
