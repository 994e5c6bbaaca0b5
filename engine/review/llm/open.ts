import type { Context } from '../../base/context.ts'
import type { Config } from '../../sources/config/load.ts'
import { LlmError } from './llm-error.ts'
import { type LlmFlags, type LlmSession, openSession } from './session.ts'
import { isConfigured } from './settings.ts'

/** The model of the configuration, or why none can be asked: `unavailable` where one is configured all the same. */
export function openModel(
  config: Config,
  context: Pick<Context, 'cwd' | 'env' | 'signal'>,
  { dry_run, record, replay }: { dry_run?: boolean; record?: string | undefined; replay?: string | undefined },
): { session?: LlmSession; reason: string; unavailable: boolean } {
  const flags: LlmFlags = {
    ...(dry_run && { dry_run }),
    ...(record !== undefined && { record }),
    ...(replay !== undefined && { replay }),
  }
  try {
    return { session: openSession(config, context, flags), reason: '', unavailable: false }
  } catch (error) {
    if (error instanceof LlmError) return { reason: error.message, unavailable: isConfigured(config) }
    throw error
  }
}
