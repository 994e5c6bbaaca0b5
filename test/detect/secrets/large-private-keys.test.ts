import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { scanLarge } from '../../../engine/detect/large/scan.ts'
import { parseDetector } from '../../../engine/sources/packs/detector-file.ts'
import { ROOT } from '../../root.ts'

const DETECTORS = join(ROOT, 'packs/secrets/detectors')
const LIMITS = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 0, max_file_bytes: 1000 }
/** Characters of one window, and of what is searched around it (engine/detect/large/scan.ts). */
const [CORE, MARGIN] = [1 << 20, 1 << 16]

let rules: RuleSet
beforeAll(async () => {
  const names = readdirSync(DETECTORS).filter(name => name.includes('private-key') && name.endsWith('.yaml'))
  rules = new RuleSet(
    await Promise.all(names.map(name => parseDetector(readFileSync(join(DETECTORS, name)), name, 'secrets'))),
  )
})

const keyOf = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
    .trim()

/** Lines and columns at which a key is found that begins at this offset of a large text. */
async function found(key: string, at: number, filler: string) {
  const before = filler.repeat(Math.ceil(at / filler.length)).slice(0, at - 1)
  const text = `${before}\n${key}\n${filler.repeat(20_000)}`
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / 65_537) }, (_, index) =>
    bytes.subarray(index * 65_537, (index + 1) * 65_537),
  )
  const file = { path: 'dump.txt', size: bytes.length, language: 'text', in_test: false }
  const result = await scanLarge(rules, { file, language: 'text' }, pieces, LIMITS, () => true)
  if (!('outcome' in result)) throw new Error(JSON.stringify(result.skip))
  const line = text.slice(0, at).split('\n').length
  return { places: result.outcome.matches.map(match => [match.line, match.column]), expected: [[line, 1]] }
}

const PEM = keyOf(2048)
const inOne = `{"key": "${PEM.replaceAll('\n', '\\n')}"}`

it.each([-PEM.length, -PEM.length + 1, -1000, -40, -1, 0, 1, 40, MARGIN - 40, MARGIN, -MARGIN])(
  'a private key that begins %i characters from the border of a window is one finding',
  async offset => {
    const { places, expected } = await found(PEM, CORE + offset, 'a line of a dump, as they are\n')
    expect(places).toEqual(expected)
  },
)

it('one on a single line, in a file of a single line before it, is found at the border too', async () => {
  for (const offset of [-1000, -1, 1]) {
    const { places } = await found(inOne, CORE + offset, 'words of a dump ')
    expect(places).toHaveLength(1)
  }
})
