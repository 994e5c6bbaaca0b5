import type { Context } from '../base/context.ts'
import type { Finding } from '../base/records/finding.ts'
import type { NotEvaluated } from '../base/records/run.ts'
import type { PartlyReason, SkipReason } from '../base/records/source-file.ts'
import { isUnreadSource } from '../gate/unread.ts'
import { listUnsearched } from '../scan/findings-text.ts'
import { perform } from '../scan/perform.ts'
import type { UnknownOrigin } from '../scan/snippet/unknown-schema.ts'
import type { Unsearched } from '../scan/unsearched-schema.ts'
import { loadConfig } from '../sources/config/load.ts'
import { loadPacks } from '../sources/packs/load.ts'
import { bearsOn, listFrameworkPacks, mergeChoice } from './applicable.ts'

/** Code to be judged as if it stood at a path. */
export interface CodeToCheck {
  code: string
  /** Repository-relative. */
  filename: string
  /** The code was given as text, which may lack its imports or the function around it; else it is a file as it is on disk. */
  isSnippet?: boolean
  /** Frameworks that findings must bear on; undefined for all that is on. */
  frameworks?: readonly string[]
}

/** What could be done about a finding. */
export interface Suggestion {
  rule_id: string
  line: number
  text: string
  /** The changes, where they are certain. */
  edits?: NonNullable<Finding['fix']>['edits']
}

/** The verdict on a piece of code. */
export interface Checked {
  /** Nothing open was found, the code was searched as a whole, every rule could be evaluated, and no value of unknown origin reaches a critical sink. */
  compliant: boolean
  findings: Finding[]
  suggestions: Suggestion[]
  /**
   * How sure the verdict is, 0 to 1. Of code with findings: that of the surest open one. Of code without: the share of the
   * rules that could be evaluated, rounded down, 0 where no rule looks at such a file or the code was not searched as a whole; a rule whose critical sink a value of unknown origin reaches counts as not evaluated.
   */
  confidence: number
  not_evaluated: { rule_id: string; reason: NotEvaluated['reason'] }[]
  /** The file, where nothing searched it or only some detectors did, as of minified code. */
  unsearched: Unsearched
  /** Of snippets. */
  unknown_origins: UnknownOrigin[]
}

/** Judges code that need not be on disk. Nothing is stored. */
export async function checkCode(
  { code, filename, isSnippet = false, frameworks }: CodeToCheck,
  context: Context,
): Promise<Checked> {
  const config = await loadConfig(context.cwd, { env: context.env })
  const wanted = listFrameworkPacks(await loadPacks(config.root), frameworks)
  const overrides = wanted.length > 0 ? { packs: mergeChoice(config.for(filename).packs, wanted) } : undefined
  const choice = overrides && { config_overrides: overrides }
  const { findings, run, rules, unknown_origins } = isSnippet
    ? await (await import('../scan/snippet/scan.ts')).scanSnippet({ code, filename, ...choice }, context)
    : { ...(await perform({ repo_path: '.', files: { [filename]: code }, ...choice }, context)), unknown_origins: [] }
  const asked = new Set(wanted.map(({ framework }) => framework!.id))
  const shown = asked.size === 0 ? findings : findings.filter(({ controls }) => bearsOn(controls, asked))
  const open = shown.filter(({ status }) => status === 'open')
  const deciding = unknown_origins.filter(({ severity }) => severity === 'critical')
  const missed = new Set([...run.not_evaluated, ...deciding].map(({ rule_id }) => rule_id)).size
  const unsearched = listUnsearched(run)
  return {
    compliant: open.length === 0 && missed === 0 && !unsearched.some(leavesUnknown),
    findings: shown,
    suggestions: open.map(suggestionFor),
    confidence:
      open.length > 0
        ? Math.max(...open.map(({ confidence }) => confidence))
        : rules.length === 0 || unsearched.some(leavesUnknown)
          ? 0
          : roundDown(Math.max(rules.length - missed, 0) / rules.length),
    not_evaluated: run.not_evaluated.map(({ rule_id, reason }) => ({ rule_id, reason })),
    unsearched,
    unknown_origins,
  }
}

/** Reasons that a file of any kind may have: of data, prose or what was built they leave nothing unknown. */
const READ_OTHERWISE = new Set(['minified', 'binary', 'too_large', 'lfs_pointer'])

/**
 * Whether code that was not, or not wholly, searched may have findings that no list of rules tells of: source code, as the gate has it, and what
 * could not be read at all. Rules that were not evaluated are listed one by one.
 */
export function leavesUnknown({ path, reason }: Unsearched[number]): boolean {
  if (reason === 'not_evaluated') return false
  return !READ_OTHERWISE.has(reason) || isUnreadSource({ path, reason: reason as SkipReason | PartlyReason })
}

function suggestionFor({ rule_id, line, remediation, fix }: Finding): Suggestion {
  return { rule_id, line, text: remediation.trimEnd(), ...(fix && { edits: fix.edits }) }
}

/** So that what is not certain never says that it is. */
function roundDown(share: number): number {
  return Math.floor(share * 1000) / 1000
}
