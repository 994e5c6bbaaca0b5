import type { GenericClass } from '../../secrets/detector.ts'
import type { Signs } from '../../secrets/hidden/find.ts'
import { runHidden } from '../../secrets/hidden/run.ts'
import { encodedRuns } from '../../secrets/hidden/runs.ts'
import type { FileInput, Limits } from '../file-outcome.ts'
import type { RawMatch } from '../match.ts'
import type { RuleSet } from '../rule-set.ts'

/**
 * What the file that the prefilter saw last leaves to look for, of what may be encoded or in parts; undefined where there is nothing. `text`
 * is its text where that is not as its bytes.
 */
export function signsIn(rules: RuleSet, bytes: Uint8Array, text: string | undefined): Signs | undefined {
  if (!rules.looksForSecrets) return undefined
  const signs = rules.signs()
  if (signs.escapes || signs.joints) return signs
  return encodedRuns(text === undefined ? bytes : Buffer.from(text, 'latin1')).length > 0 ? signs : undefined
}

/** What the text has encoded or in parts, under the detectors that look at files like this one. */
export function findHidden(
  rules: RuleSet,
  { bytes, language, path }: FileInput,
  text: string,
  signs: Signs,
  generic: ReadonlyMap<GenericClass, number>,
  { explain_secrets = false }: Limits,
): RawMatch[] {
  const formatsFor = (decoded: Uint8Array) => rules.formatsFor(decoded, language, path)
  const characters = text.length === bytes.length ? bytes : Buffer.from(text, 'latin1')
  return runHidden(
    { rules: rules.rules, formatsFor, generic },
    { text, bytes: characters, language, signs },
    explain_secrets,
  )
}
