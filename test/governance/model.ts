import type { Action } from '../../engine/governance/trust.ts'

// A second, much smaller account of governance: plain lists, no database, no rules that know of each other only by name.
// What the real one does is held against it after every step.

export const RANK = ['none', 'read', 'scan', 'fix:low', 'fix:any', 'admin']
export const NEEDS: Partial<Record<Action, [trust: string, scope: string]>> = {
  read_findings: ['read', 'findings:read'],
  run_scan: ['scan', 'scan'],
  auto_fix_low: ['fix:low', 'fix:write'],
  create_pr: ['fix:any', 'fix:write'],
  edit_config: ['admin', 'config:write'],
}

export interface Settings {
  queue: 'allow' | 'warn' | 'block'
  grants: boolean
  enforcement: 'warn' | 'block' | 'hitl'
  binding: boolean
  required: boolean
  sameLevel: boolean
  cascade: boolean
}

interface Agent {
  status: 'valid' | 'revoked'
  scopes: string[]
}
interface Session {
  agent: string
  status: string
  ends: number
  parent: number | undefined
  trust: string
  paths: string
}
interface Grant {
  agent: string
  scope: string
  status: string
  ttl: number
  ends: number
  session: number | undefined
  approval: number | undefined
}
interface Approval {
  requester: string
  subject: string
  status: string
  ends: number
}

const OWN: Record<string, string> = { ann: 'admin', bob: 'fix:any', cid: 'scan' }
const low = (a: string, b: string) => (RANK.indexOf(a) < RANK.indexOf(b) ? a : b)
const isOpen = (s: Session) => s.status === 'active'

/** Seconds since the history began, and everything there is. */
export class Model {
  now = 0
  agents = new Map<string, Agent>()
  frozen = new Set<string>()
  sessions: Session[] = []
  grants: Grant[] = []
  approvals: Approval[] = []
  settings: Settings

  constructor(settings: Settings) {
    this.settings = settings
  }

  current(agent: string): number | undefined {
    const index = this.sessions.findLastIndex(s => s.agent === agent && isOpen(s))
    return index === -1 || this.agents.get(agent)?.status !== 'valid' ? undefined : index
  }

  chain(index: number | undefined): Session[] {
    return index === undefined ? [] : [this.sessions[index]!, ...this.chain(this.sessions[index]!.parent)]
  }

  trust(agent: string): string {
    return this.chain(this.current(agent)).reduce((t, s) => low(t, s.trust), OWN[agent]!)
  }

  /** The decision on an action, and on a path where there is one. */
  decide(agent: string, action: Action, path: string | undefined, unbound: boolean): string {
    const { settings } = this
    const known = this.agents.get(agent)!
    if (this.frozen.has(agent) || this.frozen.has('*') || known.status === 'revoked') return 'refused'
    if (this.trust(agent) === 'none') return 'refused'
    const [needed, scope] = NEEDS[action]!
    const at = this.current(agent)
    const granted = this.grants.some(
      g => g.agent === agent && g.status === 'active' && (g.scope === scope || g.scope === '*'),
    )
    const trusted = RANK.indexOf(this.trust(agent)) >= RANK.indexOf(needed)
    const scoped = known.scopes.includes('*') || known.scopes.includes(scope)
    const elevated = settings.grants && scope === 'config:write'
    let worst = 'allowed'
    const worse = (decision: string) => {
      const order = ['allowed', 'warned', 'pending', 'refused']
      if (order.indexOf(decision) > order.indexOf(worst)) worst = decision
    }
    if (!granted && (!trusted || !scoped || elevated))
      worse(
        settings.grants || settings.queue === 'block' ? 'refused' : settings.queue === 'warn' ? 'warned' : 'allowed',
      )
    if (settings.binding && settings.required && at === undefined && !unbound) worse('refused')
    if (
      path !== undefined &&
      at !== undefined &&
      settings.binding &&
      !this.chain(at).every(s => path.startsWith(s.paths))
    )
      worse({ warn: 'warned', block: 'refused', hitl: 'pending' }[settings.enforcement])
    return worst
  }

  tick(seconds: number): void {
    this.now += seconds
    for (const s of this.sessions) if (isOpen(s) && s.ends <= this.now) s.status = 'expired'
    for (const g of this.grants) if (g.status === 'active' && g.ends <= this.now) g.status = 'expired'
    for (const [id, a] of this.approvals.entries()) {
      if (!['pending', 'approved'].includes(a.status) || a.ends > this.now) continue
      a.status = 'expired'
      for (const g of this.grants) if (g.approval === id && g.status === 'pending') g.status = 'denied'
    }
  }

  /** Ends a session and all below it. */
  end(index: number, status: string, cascade: boolean): void {
    const session = this.sessions[index]!
    if (isOpen(session)) {
      session.status = status
      for (const g of this.grants)
        if (g.session === index && ['active', 'pending'].includes(g.status)) g.status = 'revoked'
    }
    if (!cascade) return
    for (const [child, s] of this.sessions.entries()) if (s.parent === index) this.end(child, 'revoked', true)
  }

  activate(grant: Grant): void {
    const session = grant.session === undefined ? undefined : this.sessions[grant.session]!
    const ends = Math.min(this.now + grant.ttl, session?.ends ?? Number.POSITIVE_INFINITY)
    const over = ends <= this.now || this.agents.get(grant.agent)?.status !== 'valid' || (session && !isOpen(session))
    grant.status = over ? 'denied' : 'active'
    grant.ends = ends
  }
}
