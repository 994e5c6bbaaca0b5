import { parseTyped } from '../../base/json-schema.ts'
import { type ConfigSchema, findSchema } from './keys.ts'
import type { Tree } from './merge.ts'
import { setKeyIn } from './merge.ts'

/** The environment variables that set a key, in the order in which they are documented. Lists are separated by commas. */
export const ENVIRONMENT: readonly { name: string; key: string }[] = [
  { name: 'SVC_GATE_FAIL_ON', key: 'gate.fail_on' },
  { name: 'SVC_PACKS_DETECT', key: 'packs.detect' },
  { name: 'SVC_PACKS_ENABLE', key: 'packs.enable' },
  { name: 'SVC_PACKS_DISABLE', key: 'packs.disable' },
  { name: 'SVC_SEVERITY_RESCORING_ENABLED', key: 'severity_rescoring_enabled' },
  { name: 'SVC_JOBS', key: 'scan.jobs' },
  { name: 'SVC_MAX_FILE_BYTES', key: 'scan.max_file_bytes' },
  { name: 'SVC_RULE_DEADLINE_MS', key: 'scan.rule_deadline_ms' },
  { name: 'SVC_FILE_DEADLINE_MS', key: 'scan.file_deadline_ms' },
  { name: 'SVC_HISTORY_KEEP', key: 'history.keep' },
  { name: 'GUARD_GRC_WEBHOOK_URL', key: 'grc_webhook_url' },
  { name: 'SVC_LOGIN_ISSUER', key: 'login.issuer' },
  { name: 'SVC_LOGIN_CLIENT_ID', key: 'login.client_id' },
  { name: 'GUARD_NOTARY_URL', key: 'notary.url' },
  { name: 'SVC_FLEET_STORE', key: 'fleet.store' },
]

/** The settings that the environment gives, not yet validated. An empty variable counts as unset. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Tree {
  let settings: Tree = {}
  for (const { name, key } of ENVIRONMENT) {
    const text = env[name]?.trim()
    if (text) settings = setKeyIn(settings, key.split('.'), convert(findSchema(key), text))
  }
  return settings
}

function convert(schema: ConfigSchema | undefined, text: string): unknown {
  if (schema?.type !== 'array') return parseTyped(schema, text)
  return text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '')
}
