import { lstatSync, readdirSync } from 'node:fs'

/** Where runs and reports go where nothing is said. */
export const DEFAULT_OUTPUT = 'out'
/** Names that svc gave files in its directory before there was the marker. */
const OWN_NAMES =
  /^(?:external|history|shard-\d+-of-\d+.*|\.gitignore|agent_context\.json|pre-commit\.json|findings\.json|run\.json|packs\.json|gate\.json|(?:report|harness-report)[\w.-]*)$/
/** The file that says that a directory is svc's. */
export const MARKER = '.svc'

/** Whether what stands at the path may be written to as svc's own: nothing, an empty directory, or one that svc has made. */
export function isOwnOutput(out: string): boolean {
  const entry = lstatSync(out, { throwIfNoEntry: false })
  if (!entry?.isDirectory()) return !entry
  const names = readdirSync(out)
  return names.includes(MARKER) || names.includes('run.json') || names.every(name => OWN_NAMES.test(name))
}
