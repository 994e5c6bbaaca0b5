import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Example } from '../../../engine/base/records/rule.ts'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import type { CompiledRule } from '../../../engine/detect/rules/active-rules.ts'
import { parseDetector } from '../../../engine/sources/packs/detector-file.ts'
import { ROOT } from '../../root.ts'

const FOLDER = join(ROOT, 'packs/secrets/detectors')
const NAMES = readdirSync(FOLDER).filter(name => name.endsWith('.yaml'))
const LIMITS = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 0 }

let formats: RuleSet

beforeAll(async () => {
  const rules = await Promise.all(NAMES.map(name => parseDetector(readFileSync(join(FOLDER, name)), name, 'secrets')))
  formats = new RuleSet(rules.filter(rule => rule.type === 'secret' && rule.detector.format !== undefined))
})

/** Ids of the detectors that find something, each once. */
function found({ code, path }: Example): string[] {
  const file = { path: path ?? 'example', language: 'text', in_test: false, bytes: new TextEncoder().encode(code) }
  const scan = scanFile(formats, file, LIMITS)
  return [...new Set(scan.matches.map(({ rule }) => formats.rules[rule]!.id))]
}

const wrongly = (judge: (rule: CompiledRule) => string[]): string[] => formats.rules.flatMap(judge)

describe('the detectors of secrets', () => {
  it('know the formats of at least 400 providers', () => {
    const providers = new Set(formats.rules.map(rule => (rule.type === 'secret' ? rule.detector.provider : '')))
    expect(providers.size).toBeGreaterThanOrEqual(400)
  })

  it('find each sample by the one detector that it is a sample of', () => {
    const faults = wrongly(({ id, match }) =>
      match
        .filter(example => found(example).join() !== id)
        .map(example => `${id}: ${found(example)} in ${example.code}`),
    )
    expect(faults).toEqual([])
  })

  it('keep silent where the random part of a sample is a row of one letter', async () => {
    const faults: string[] = []
    for (const name of NAMES) {
      const text = readFileSync(join(FOLDER, name), 'utf8')
      const samples = text.slice(text.indexOf('\nmatch:'), text.indexOf('\nclean:'))
      const blank = samples
        .replace(/\{(?:crc32|uuid|jwt|pem:[^{}]*|enc:[^{}]*|pick:[^{}]*)\}/g, 'xxxxxxxxxx')
        .replace(/\{[A-Za-z0-9]+:(\d+)[^{}]*\}/g, (_, length) => 'x'.repeat(Number(length)))
      const ids = found({ code: blank })
      if (ids.length > 0) faults.push(`${name}: ${ids}`)
    }
    expect(faults).toEqual([])
  })

  it('find nothing in their own files', () => {
    const faults = NAMES.filter(name => found({ code: readFileSync(join(FOLDER, name), 'utf8') }).length > 0)
    expect(faults).toEqual([])
  })

  it('find nothing in the documentation of svc', () => {
    const docs = join(ROOT, 'docs')
    const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.md'))
    expect(pages.filter(name => found({ code: readFileSync(join(docs, name), 'utf8') }).length > 0)).toEqual([])
  })

  it('ask a live credential only of an address of the provider, over https, with the secret in a header, body or path', () => {
    const asked = formats.rules.flatMap(rule => (rule.type === 'secret' && rule.detector.verify ? [rule] : []))
    expect(asked.length).toBeGreaterThanOrEqual(30)
    const faults = asked.filter(({ detector: { verify } }) => {
      const { url, live, dead } = verify!
      return !url.startsWith('https://') || !JSON.stringify(verify).includes('{secret}') || !live || !dead
    })
    expect(faults.map(({ id }) => id)).toEqual([])
  })
})
