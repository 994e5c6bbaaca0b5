import type { Rule, SecretRule } from '../../base/records/rule.ts'
import type { GenericClass } from '../../base/records/secret-detector.ts'
import type { Search, SearchedText, Task } from '../rules/detector.ts'
import type { RawMatch } from '../rules/match.ts'
import { findAnchors } from './generic/anchors.ts'
import { runGeneric } from './generic/run.ts'
import type { Signs } from './hidden/find.ts'
import { runHidden } from './hidden/run.ts'
import { findEncodedRuns } from './hidden/runs.ts'
import { runFormat } from './run.ts'
import { admits, findTokenRuns, type TokenRuns } from './token-runs.ts'

/** The detectors of secrets in one text, from the pass over its bytes on. */
export class SecretScan implements Search {
  readonly #searched: SearchedText
  /** Generic detectors by what they take. */
  readonly #generic = new Map<GenericClass, number>()
  #runs: TokenRuns | undefined
  /** Where names may begin that a secret stands by, as offsets in the bytes. */
  readonly #anchors: Int32Array
  readonly #signs: Signs
  /** The text's characters as one byte each, with their runs, once they are asked for. */
  #characters: { bytes: Uint8Array; runs: TokenRuns } | undefined

  constructor(searched: SearchedText) {
    this.#searched = searched
    const { rules } = searched
    this.#anchors = rules.prefilter.anchors().slice()
    const [escapes = false, joints = false] = rules.findSigns('secret')
    this.#signs = { escapes, joints }
  }

  /** All generic detectors are one task: one look at what stands around the anchors serves every one of them. */
  admit(index: number): Task | undefined {
    const rule = this.#searched.rules.rules[index] as SecretRule
    const { generic, least_run } = rule.detector
    if (generic === undefined) {
      if (least_run !== undefined && !admits(this.#runsOfBytes, least_run)) return undefined
      return { rules: [index], run: () => this.#findFormat(index, rule) }
    }
    this.#generic.set(generic, index)
    if (this.#generic.size > 1 || this.#anchors.length === 0) return undefined
    return { rules: [index], run: () => this.#findGeneric() }
  }

  /** The search of what is encoded or written in parts; it counts for the first of the detectors. */
  conclude(): Task | undefined {
    const { escapes, joints } = this.#signs
    if (!escapes && !joints && findEncodedRuns(this.#searched.bytes, this.#runsOfBytes).length === 0) return undefined
    const { rules } = this.#searched.rules
    return {
      // Only where it is broken off: among all rules, the first is far from the beginning.
      get rules() {
        return [rules.findIndex(isSecretRule)]
      },
      detail: 'in what is encoded or in parts',
      run: () => this.#findHidden(),
    }
  }

  #findFormat(index: number, rule: SecretRule): RawMatch[] {
    const { text } = this.#searched
    return runFormat(rule, text, this.#charactersOf(text).runs).map(found => ({ ...found, rule: index }))
  }

  #findGeneric(): RawMatch[] {
    const { text, bytes, file, limits } = this.#searched
    const anchors = text.length === bytes.length ? this.#anchors : findAnchors(text)
    return runGeneric(text, anchors, file.language, limits.explain_secrets ?? false, file.path).flatMap(
      ({ kind, ...found }) => {
        const own = this.#generic.get(kind)
        return own === undefined ? [] : [{ ...found, rule: own, modeled: true }]
      },
    )
  }

  #findHidden(): RawMatch[] {
    const { text, rules, file, limits } = this.#searched
    const hasFormat = (index: number) => {
      const rule = rules.rules[index]!
      return isSecretRule(rule) && rule.detector.format !== undefined
    }
    return runHidden(
      {
        rules: rules.rules,
        formatsFor: decoded => rules.admit(decoded, file, hasFormat),
        generic: this.#generic,
      },
      { text, ...this.#charactersOf(text), language: file.language, signs: this.#signs },
      limits.explain_secrets ?? false,
    )
  }

  get #runsOfBytes(): TokenRuns {
    this.#runs ??= findTokenRuns(this.#searched.bytes)
    return this.#runs
  }

  /** The bytes themselves where each is a character. */
  #charactersOf(text: string): { bytes: Uint8Array; runs: TokenRuns } {
    const own = this.#searched.bytes
    if (text.length === own.length) return { bytes: own, runs: this.#runsOfBytes }
    if (!this.#characters) {
      const bytes = Buffer.from(text, 'latin1')
      this.#characters = { bytes, runs: findTokenRuns(bytes) }
    }
    return this.#characters
  }
}

function isSecretRule(rule: Rule): rule is SecretRule {
  return rule.type === 'secret'
}
