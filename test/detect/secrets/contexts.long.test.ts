import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { parseDetector } from '../../../engine/sources/packs/detector-file.ts'
import { ROOT } from '../../root.ts'

const FOLDER = join(ROOT, 'packs/secrets/detectors')
const LIMITS = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 0 }

/** Where a credential may stand without a name, ○ being the credential. */
const CONTEXTS = {
  'at the beginning of a text': '○ was here',
  'at its end': 'it is ○',
  'on a line of its own': 'before\n○\nafter',
  'at the end of a sentence': 'Use ○. Then go on.',
  'before a comma': 'first ○, then another',
  'in brackets': 'the token (○) of the robot',
  'in angle brackets': '<td>○</td>',
  'in backticks': 'the token is `○` there',
  'in a quoted text': "log('got ○ from upstream')",
  'in a list of JSON': '["x","○","y"]',
  'in JSON within a string': '{"body":"{\\"v\\":\\"○\\"}"}',
  'after the escape of a line end': '"first line\\n○\\nlast line"',
  'after the escape of a tab': '"x\\t○\\ty"',
  'after a percent-encoded sign': 'GET /x?u=a%3D○%26b HTTP/1.1',
  'in a query': 'GET /v1/items?page=2&t=○&x=1 HTTP/1.1',
  'in a path': 'https://host.io/api/○/items',
  'as the password of an address': 'https://x:○@host.io/a.git',
  'as the user of an address': 'https://○@host.io/a.git',
  'after a header’s scheme': "-H 'Authorization: Bearer ○'",
  'in a log': '2024-01-02T03:04:05Z WARN [req-1] rejected ○ (expired)',
  'after a colon': 'x:○',
  'after an equals sign': 'x=○;y',
  'in a comment': '// ○',
  'in a row of a table': '| 1 | ○ | 2 |',
  'in a pair of CSV': 'bob,○,admin',
}

/** Forms without a fixed beginning, which are tried only in files that name the provider or a token. */
const NAMED = new Set(['secret-discord-bot-token', 'secret-discord-token'])
/** Each detector of a format that needs nothing around it, with a credential of it; what is of base64 goes on after a slash. */
const credentials: { id: string; credential: string; ofBase64: boolean }[] = []
let formats: RuleSet

function idsIn(code: string): string[] {
  const file = { path: 'example', language: 'text', in_test: false, bytes: new TextEncoder().encode(code) }
  const scan = scanFile(formats, file, LIMITS)
  return scan.matches.map(({ rule }) => formats.rules[rule]!.id)
}

beforeAll(async () => {
  const names = readdirSync(FOLDER).filter(name => name.endsWith('.yaml'))
  const rules = await Promise.all(names.map(name => parseDetector(readFileSync(join(FOLDER, name)), name, 'secrets')))
  formats = new RuleSet(rules.filter(rule => rule.type === 'secret' && rule.detector.format !== undefined))
  for (const { id, match, ...rule } of formats.rules) {
    if (rule.type !== 'secret') continue
    const { format, near, ignore_case } = rule.detector
    // What starts with a look behind and has no name in it stands for itself; keys of several lines and whole addresses do not fit all places.
    if (near || !/^\(\?<!\[[^\]]*\]\)(?:\(\?<secret>|\(\?:bot)/.test(format!) || format!.includes('(?&')) continue
    const found = new RegExp(format!, ignore_case ? 'dmui' : 'dmu').exec(match[0]!.code)
    const credential = found?.groups?.secret
    if (credential && /^[\w.~+=-]+$/.test(credential) && !NAMED.has(id))
      credentials.push({ id, credential, ofBase64: /\+\/|\/\+|\/=|\+=|\.=/.test(format!) })
  }
})

describe('a credential with a form of its own', () => {
  it('is one of several hundred', () => {
    expect(credentials.length).toBeGreaterThan(300)
  })

  for (const [where, context] of Object.entries(CONTEXTS))
    it(`is found ${where}`, () => {
      const missed = credentials.filter(
        ({ credential, ofBase64 }) =>
          !(ofBase64 && /[/@.]○|○[/@.]/.test(context)) && idsIn(context.replace('○', () => credential)).length === 0,
      )
      expect(missed.map(({ id }) => id)).toEqual([])
    })
})
