import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { engineDigest } from '../assets.ts'
import { writeBeside } from './cache-file.ts'
import { CACHE_FOLDER, makeCacheFolder } from './cache-folder.ts'
import { checksum } from './listing-memory.ts'
import type { Performed } from './perform.ts'

/** Gives the text that `make` would, by a name, for rules as they are and for `rest`, which is all else that decides it. */
export type RuleTexts = (name: string, rest: string, make: () => string) => string

/**
 * What reports say of the rules, as the last scan of the repository wrote it: a scan that finds little new need not read the texts of
 * a thousand rules to write them once more. A text is made anew where the program, a rule, its controls or what else it rests on has changed,
 * and where no listing was kept: that alone shows that a scan of this checkout wrote the cache, and not whoever wrote the repository.
 */
export function ruleTexts({
  root,
  rules,
  controls,
  kept,
}: Pick<Performed, 'root' | 'rules' | 'controls' | 'kept'>): RuleTexts {
  let ofRules: string | undefined
  return (name, rest, make) => {
    ofRules ??= keyOf(rules, controls)
    const key = checksum(`${ofRules}${rest}`)
    const path = join(root, CACHE_FOLDER, `${name}.kept`)
    const known = kept && readKept(path, key)
    if (known !== undefined) return known
    const text = make()
    try {
      makeCacheFolder(root)
      writeBeside(path, `${headOf(key, text)}\n${text}`)
    } catch {
      // The next scan makes it once more: it costs that time and nothing else.
    }
    return text
  }
}

/** The text of the file, where it was kept under the key and is whole. */
function readKept(path: string, key: string): string | undefined {
  try {
    const bytes = readFileSync(path)
    const end = bytes.indexOf('\n')
    const text = bytes.subarray(end + 1)
    return bytes.toString('latin1', 0, end) === headOf(key, text) ? text.toString() : undefined
  } catch {
    return undefined
  }
}

/** The first line of the file. Its NUL tells whoever comes by the folder that it is no source: rules quote what is weak. */
function headOf(key: string, text: string | Uint8Array): string {
  return `\0${key} ${checksum(text)}`
}

/** Digest of what the texts of the rules rest on. Svc's own rules have theirs from the program; the severity, which a configuration may change, stands beside it. */
function keyOf(rules: Performed['rules'], controls: Performed['controls']): string {
  const own = rules.map(rule => (rule.digest === undefined ? rule : [rule.digest, rule.severity]))
  return checksum(JSON.stringify([engineDigest(), own, [...controls]]))
}
