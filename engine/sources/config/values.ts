/** Trust levels of agents, lowest first (spec "Trust level"). */
export const TRUST_LEVELS = ['none', 'read', 'scan', 'fix:low', 'fix:any', 'admin'] as const
export type TrustLevel = (typeof TRUST_LEVELS)[number]

/** What happens when an action exceeds the agent's trust. */
export const QUEUE_ACTIONS = ['allow', 'warn', 'block'] as const

/** How a rule of governance is enforced: recorded, refused, or held until a human has approved. */
export const ENFORCEMENTS = ['warn', 'block', 'hitl'] as const
export type Enforcement = (typeof ENFORCEMENTS)[number]

/** Named sets of defaults, sternest first. */
export const PROFILES = ['strict', 'standard', 'permissive'] as const
export type Profile = (typeof PROFILES)[number]

/** Highest severity that is patched without a human; `none` stands for "no patch at all". */
export const PATCH_CEILINGS = ['none', 'info', 'low', 'medium', 'high', 'critical'] as const
