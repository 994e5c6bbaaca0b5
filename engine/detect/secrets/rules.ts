import type { SecretRule } from '../../base/records/rule.ts'
import type { GenericClass } from '../../base/records/secret-detector.ts'
import type { ActiveRules, Signs } from '../rules/active-rules.ts'
import type { FileInput, Limits } from '../rules/file-outcome.ts'
import type { RawMatch } from '../rules/match.ts'
import { anchorsIn } from './generic/anchors.ts'
import { runGeneric } from './generic/run.ts'
import { runHidden } from './hidden/run.ts'
import { encodedRuns } from './hidden/runs.ts'
import { runFormat } from './run.ts'
import { admits, type TokenRuns, tokenRuns } from './token-runs.ts'

/** What the detectors of secrets know of one file, from the pass over its bytes on. */
export class SecretScan {
  readonly #rules: ActiveRules
  readonly #file: FileInput
  readonly #limits: Limits
  /** Generic detectors by what they take. */
  readonly #generic = new Map<GenericClass, number>()
  /** The bytes that the pass was over. */
  readonly #bytes: Uint8Array
  #runs: TokenRuns | undefined
  /** Where names may begin that a secret stands by, as offsets in the bytes. */
  readonly #anchors: Int32Array
  readonly #signs: Signs
  /** The text's characters as one byte each, with their runs, once they are asked for. */
  #characters: { bytes: Uint8Array; runs: TokenRuns } | undefined

  /** `bytes` are what the rules' prefilter has just seen: the file's own, or its text in UTF-8. */
  constructor(rules: ActiveRules, file: FileInput, limits: Limits, bytes: Uint8Array) {
    this.#rules = rules
    this.#file = file
    this.#limits = limits
    this.#bytes = bytes
    this.#anchors = rules.prefilter.anchors().slice()
    this.#signs = rules.signs()
  }

  /** Takes note of a detector whose literals are in the file; whether it is a step of the scan by itself. */
  admits(index: number, { detector }: SecretRule): boolean {
    if (detector.generic === undefined)
      return detector.least_run === undefined || admits(this.#runsOfBytes, detector.least_run)
    this.#generic.set(detector.generic, index)
    // All of them are one step: one look at what stands around the anchors serves every one of them.
    return this.#generic.size === 1 && this.#anchors.length > 0
  }

  /** Whether something may be encoded in the file, or in parts. */
  get mayHide(): boolean {
    return this.#signs.escapes || this.#signs.joints || encodedRuns(this.#bytes, this.#runsOfBytes).length > 0
  }

  /** What a detector finds in the file's text: one with a format what has it, a generic one what all of them do. */
  find(index: number, rule: SecretRule, text: string): RawMatch[] {
    if (rule.detector.generic === undefined)
      return runFormat(rule, text, this.#charactersOf(text).runs).map(found => ({ ...found, rule: index }))
    const anchors = text.length === this.#bytes.length ? this.#anchors : anchorsIn(text)
    return runGeneric(text, anchors, this.#file.language, this.#limits.explain_secrets ?? false).flatMap(
      ({ kind, ...found }) => {
        const own = this.#generic.get(kind)
        return own === undefined ? [] : [{ ...found, rule: own }]
      },
    )
  }

  /** What the text has encoded or in parts, under the detectors that look at files like this one. */
  findHidden(text: string): RawMatch[] {
    const { language, path } = this.#file
    return runHidden(
      {
        rules: this.#rules.rules,
        formatsFor: decoded => this.#rules.formatsFor(decoded, language, path),
        generic: this.#generic,
      },
      { text, ...this.#charactersOf(text), language, signs: this.#signs },
      this.#limits.explain_secrets ?? false,
    )
  }

  get #runsOfBytes(): TokenRuns {
    this.#runs ??= tokenRuns(this.#bytes)
    return this.#runs
  }

  /** The bytes themselves where each is a character. */
  #charactersOf(text: string): { bytes: Uint8Array; runs: TokenRuns } {
    if (text.length === this.#bytes.length) return { bytes: this.#bytes, runs: this.#runsOfBytes }
    if (!this.#characters) {
      const bytes = Buffer.from(text, 'latin1')
      this.#characters = { bytes, runs: tokenRuns(bytes) }
    }
    return this.#characters
  }
}
