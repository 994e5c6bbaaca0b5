import { join } from 'node:path'
import { getEngineDigest } from '../base/disk/assets.ts'
import { ignoreUnreadable, readOwn } from '../base/disk/own-folder.ts'
import type { RuleTexts } from '../base/records/run.ts'
import type { Seal } from '../sources/state/cache-seal.ts'
import { writeBeside } from './cache-file.ts'
import { CACHE_FOLDER, makeCacheFolder } from './cache-folder.ts'
import { computeChecksum } from './listing-memory.ts'
import type { Performed } from './perform.ts'

/** What this process has made last, by name: a server or watcher scans again and again with the same rules. */
const made = new Map<string, { key: string; text: Buffer }>()

/**
 * What reports say of the rules, as the last scan of the repository wrote it: a scan that finds little new need not read the texts of
 * a thousand rules to write them once more. A text is made anew where the program, a rule, its controls or what else it rests on has changed,
 * and where no listing was kept: that alone shows that a scan of this checkout wrote the cache, and not whoever wrote the repository. One that
 * was changed since is not used, which `onRefused` is told.
 */
export function makeRuleTexts(
  { root, rules, controls, kept }: Pick<Performed, 'root' | 'rules' | 'controls' | 'kept'>,
  seal: Seal | undefined,
  onRefused: (path: string) => void,
): RuleTexts {
  let ofRules: string | undefined
  return (name, rest, make) => {
    ofRules ??= keyOf(rules, controls)
    const key = computeChecksum(`${ofRules}${rest}`)
    const path = join(root, CACHE_FOLDER, `${name}.kept`)
    const known = kept && seal && readKept(path, key, seal, () => onRefused(`${CACHE_FOLDER}/${name}.kept`))
    if (known !== undefined) return known
    const before = made.get(name)
    const text = before?.key === key ? before.text : Buffer.from(make())
    made.set(name, { key, text })
    if (!seal) return text
    try {
      makeCacheFolder(root)
      writeBeside(path, Buffer.concat([Buffer.from(`${headOf(key, text, seal)}\n`), text]))
    } catch {
      // The next scan makes it once more: it costs that time and nothing else.
    }
    return text
  }
}

/** The text of the file, where it was kept under the key and its seal holds. */
function readKept(path: string, key: string, seal: Seal, onRefused: () => void): Buffer | undefined {
  const bytes = ignoreUnreadable(() => readOwn(path))
  if (!bytes) return undefined
  const end = bytes.indexOf('\n')
  const text = bytes.subarray(end + 1)
  const head = bytes.toString('latin1', 0, end)
  if (head === headOf(key, text, seal)) return text
  // Under another key it is merely old.
  if (!HEAD.test(head) || head.startsWith(`\0${key} `)) onRefused()
  return undefined
}

const HEAD = /^\0[0-9a-f]{64} [0-9a-f]{64}$/

/** The first line of the file. Its NUL tells whoever comes by the folder that it is no source: rules quote what is weak. */
function headOf(key: string, text: Uint8Array, seal: Seal): string {
  return `\0${key} ${seal.sign('rule texts', `${key} ${computeChecksum(text)}`)}`
}

/** Digest of what the texts of the rules rest on. Svc's own rules have theirs from the program; the severity, which a configuration may change, stands beside it. */
function keyOf(rules: Performed['rules'], controls: Performed['controls']): string {
  const own = rules.map(rule => (rule.digest === undefined ? rule : [rule.digest, rule.severity]))
  return computeChecksum(JSON.stringify([getEngineDigest(), own, [...controls]]))
}
