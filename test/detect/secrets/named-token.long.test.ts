import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Example } from '../../../engine/base/records/rule.ts'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { writeOut } from '../../../engine/detect/secrets/shorthand.ts'
import { parseDetector } from '../../../engine/sources/packs/detector-file.ts'
import { ROOT } from '../../root.ts'

const DIRECTORY = join(ROOT, 'packs/secrets/detectors')
const LIMITS = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 0 }

/** Where a credential stands behind a name that says no more than that it is one. */
const NAMED: Record<string, { language: string; code: (token: string) => string }> = {
  'an assignment': { language: 'python', code: token => `x_key = "${token}"\n` },
  'a password': { language: 'javascript', code: token => `const password = '${token}'\n` },
  JSON: { language: 'json', code: token => `{ "name": "shop", "api_key": ${JSON.stringify(token)} }\n` },
  YAML: { language: 'yaml', code: token => `service:\n  secret: "${token}"\n` },
  'a .env file': { language: 'dotenv', code: token => `PORT=80\nAUTH_TOKEN=${token}\n` },
}

let rules: RuleSet
/** By the id of a detector, a credential that its format finds without any name or word around it. */
const credentials = new Map<string, string>()
/** Detectors whose format says nothing without the provider's name or a word beside it. */
const named: string[] = []

function find({ code, path }: Example, language = 'text'): { id: string; also: string[] }[] {
  const file = { path: path ?? 'example', language, in_test: false, bytes: new TextEncoder().encode(code) }
  return scanFile(rules, file, LIMITS).matches.map(({ rule, also = [] }) => ({
    id: rules.rules[rule]!.id,
    also: also.map(({ rule_id }) => rule_id),
  }))
}

const isGeneric = (id: string) => id.startsWith('secret-generic-')

beforeAll(async () => {
  const names = readdirSync(DIRECTORY).filter(name => name.endsWith('.yaml'))
  rules = new RuleSet(
    await Promise.all(names.map(name => parseDetector(readFileSync(join(DIRECTORY, name)), name, 'secrets'))),
  )
  for (const { id, match, ...rule } of rules.rules) {
    if (rule.type !== 'secret' || rule.detector.format === undefined) continue
    const { format, ignore_case } = rule.detector
    const { head, secret } = new RegExp(writeOut(format), ignore_case ? 'mui' : 'mu').exec(match[0]!.code)?.groups ?? {}
    // A key of several lines is found with its first line, and stands in a text of its own.
    const token = head ? undefined : secret
    if (token !== undefined && find({ code: `see ${token} there` }).some(found => found.id === id))
      credentials.set(id, token)
    else named.push(id)
  }
})

describe('a credential behind a name', () => {
  it('has a form that identifies it in 446 detectors, and needs a name, a word or a first line beside it in 708', () => {
    expect({ identified: credentials.size, named: named.length }).toEqual({ identified: 446, named: 708 })
  })

  for (const [where, { language, code }] of Object.entries(NAMED))
    it(`is reported by its provider's detector in ${where}`, () => {
      const missed = [...credentials].flatMap(([id, token]) => {
        const found = find({ code: code(token) }, language)
        return found.some(each => each.id === id) ? [] : [`${id}: ${found.map(each => each.id)}`]
      })
      expect(missed).toEqual([])
    })

  it("is reported by its provider's detector in each of the detector's own positive cases", () => {
    const missed = rules.rules.flatMap(({ id, match }) =>
      match.flatMap(example => {
        const found = find(example)
        // A value without a format may be one of a header, whose own detector then names it.
        const isReported = found.some(each => each.id === id || (isGeneric(id) && each.also.includes(id)))
        return isReported ? [] : [`${id}: ${found.map(each => each.id)} in ${example.code}`]
      }),
    )
    expect(missed).toEqual([])
  })
})
