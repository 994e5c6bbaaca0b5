import { describe, expect, it } from 'vitest'
import { EngineError } from '../../../engine/base/errors.ts'
import { CHECKSUMS } from '../../../engine/detect/secrets/checksums.ts'
import { mergeOverlapping } from '../../../engine/detect/secrets/overlap.ts'
import { isStandIn } from '../../../engine/detect/secrets/placeholder.ts'
import { runFormat } from '../../../engine/detect/secrets/run.ts'
import { sample } from '../../../engine/detect/secrets/sample.ts'
import { findFormatFault, parseDetector } from '../../../engine/sources/packs/detector-file.ts'

const FILE = `id: secret-acme-token
provider: Acme
credential: API token
severity: high
format: '(?<![A-Za-z0-9])(?<secret>acme_[A-Za-z0-9]{32})(?![A-Za-z0-9])'
literals: [acme_]
min_entropy: 3
source: https://acme.example/docs
revoke: Delete it.
match: ['token = "acme_{base62:32}"']
clean: ['token = "acme_{base62:12}"']
`
const parse = (text: string) => parseDetector(Buffer.from(text), 'x.yaml', 'secrets')
const faults = async (text: string) => {
  const error = await parse(text).catch((thrown: unknown) => thrown as EngineError)
  if (!(error instanceof EngineError)) throw new Error('no fault')
  return error.faults.map(({ message }) => message).join(' ')
}

describe('a detector', () => {
  it('is read as a rule of category secret, whose literals the file must contain and whose samples are written out', async () => {
    const rule = await parse(FILE)
    expect(rule).toMatchObject({ type: 'secret', category: 'secret', requirement: [[{ text: 'acme_', word: false }]] })
    expect(rule.match[0]!.code).toMatch(/^token = "acme_[A-Za-z0-9]{32}"$/)
  })

  it('has the provider and its credential for a title', async () => {
    expect((await parse(FILE)).title).toBe('Acme API token')
  })

  it('has a title of its own where no provider issues the credential', async () => {
    const text = FILE.replace('credential: API token', 'title: Password in a connection URL')
    expect((await parse(text)).title).toBe('Password in a connection URL')
  })

  it('says first how to revoke the credential, then where to store the new one', async () => {
    expect((await parse(FILE)).remediation).toMatch(/^Delete it\.\nThen remove the value .* a secret store/)
  })

  it.each([
    ['has neither credential nor title', FILE.replace(/^credential.*\n/m, ''), 'either credential or title'],
    ['has both credential and title', `${FILE}title: A\n`, 'either credential or title'],
    ['has neither format nor generic', FILE.replace(/^format.*\n/m, ''), 'either format or generic'],
    ['repeats without bound', FILE.replace('{32})', '+)'), 'bounded'],
    ['has no group for the secret', FILE.replace('?<secret>', '?:'), 'a group named secret'],
    ['would be tried on every file', FILE.replace(/^literals.*\n/m, ''), 'literals or near'],
    ['is no regular expression', FILE.replace('(?<secret>', '(?<secret>('), 'not a regular expression'],
    ['asks over plain HTTP', `${FILE}verify: { method: GET, url: 'http://a.example', live: {}, dead: {} }\n`, 'https'],
  ])('that %s is refused with the reason', async (_, text, reason) => {
    expect(await faults(text)).toContain(reason)
  })

  it('may repeat what repeats, as long as the product is bounded', () => {
    expect(findFormatFault('(?<secret>(?:[a-z]{1,10}-){2,5})', false)).toBeUndefined()
    expect(findFormatFault('(?<secret>(?:[a-z]{1,1000}-){1,1000})', false)).toContain('bounded')
  })

  it('is certain where the checksum holds, less sure where it does not, and silent on what stands for a secret', async () => {
    const rule = await parse(FILE.replace('min_entropy: 3', 'checksum: github'))
    if (rule.type !== 'secret') throw new Error('no detector')
    const confidences = (template: string) =>
      runFormat(rule, `x = "${sample(template, 'x')}"`).map(({ confidence }) => confidence)
    expect(confidences('acme_{base62:26}{crc32}')).toEqual([1])
    expect(confidences('acme_{base62:32}')).toEqual([0.7])
    expect(confidences('acme_example{base62:25}')).toEqual([])
    expect(confidences('acme_xxxxxxxx{base62:24}')).toEqual([])
  })

  it('without a prefix is tried only near its words', async () => {
    const near = FILE.replace('acme_[A-Za-z0-9]', '[a-f0-9]').replace(
      /^literals.*$/m,
      'near: { words: [acme], within: 30 }',
    )
    const rule = await parse(near.replaceAll('acme_{base62:', 'acme {hex:'))
    if (rule.type !== 'secret') throw new Error('no detector')
    const hex = sample('{hex:32}', 'x')
    expect(runFormat(rule, `ACME_KEY = ${hex}`)).toHaveLength(1)
    expect(runFormat(rule, `ACME${' '.repeat(200)}${hex}`)).toHaveLength(0)
  })
})

describe('the head of a format', () => {
  it('is where the finding begins, and no part of the value', async () => {
    const rule = await parse(FILE.replace('(?<secret>acme_', '(?<head>KEY:)\\s(?<secret>acme_'))
    if (rule.type !== 'secret') throw new Error('no detector')
    const value = sample('acme_{base62:32}', 'x')
    expect(runFormat(rule, `a\nKEY:\n${value}`)).toMatchObject([{ start: 2, end: 7 + value.length, value }])
  })
})

describe('a checksum', () => {
  it.each([
    ['github', 'ghp_{base62:30}{crc32}', 'ghp_{base62:36}'],
    ['jwt', '{jwt}', 'eyJ{base62:20}.eyJ{base62:20}.{base62:20}'],
    ['pem', '{pem:RSA PRIVATE KEY}', '-----BEGIN RSA PRIVATE KEY-----\n{base64:60}\n-----END RSA PRIVATE KEY-----'],
  ] as const)('%s tells a real form from letters', (name, right, wrong) => {
    expect(CHECKSUMS[name](sample(right, 'a'))).toBe(true)
    expect(CHECKSUMS[name](sample(wrong, 'a'))).toBe(false)
  })

  it('luhn is that of ISO/IEC 7812-1', () => {
    expect([CHECKSUMS.luhn('79927398713'), CHECKSUMS.luhn('79927398710')]).toEqual([true, false])
  })
})

describe('samples', () => {
  it('are the same for the same template and seed, and others for another seed', () => {
    expect(sample('{base62:40}', 'a')).toBe(sample('{base62:40}', 'a'))
    expect(sample('{base62:40}', 'a')).not.toBe(sample('{base62:40}', 'b'))
  })

  it('leave other braces alone', () => {
    expect(sample('${{ x }} {y} {hex:2}', 'a')).toMatch(/^\$\{\{ x \}\} \{y\} [0-9a-f]{2}$/)
  })
})

describe('stand-ins', () => {
  it.each(['your-token-here', 'xxxxxxxxxxxx', '000000000000', 'abcdefghij', '${TOKEN}', 'AKIAIOSFODNN7EXAMPLE'])(
    '%s is one',
    text => expect(isStandIn(text)).toBe(true),
  )
  it('random letters are none, in ten thousand of them', () => {
    const wrong = Array.from({ length: 10_000 }, (_, index) => sample('{base62:36}', `r${index}`)).filter(isStandIn)
    expect(wrong.length).toBeLessThan(10)
  })
})

describe('overlapping spans', () => {
  const a = { start: 0, end: 10, confidence: 0.5 }
  const b = { start: 5, end: 9, confidence: 0.9 }
  const c = { start: 20, end: 24, confidence: 0.9 }
  const d = { start: 20, end: 30, confidence: 0.9 }

  it('are named by the surest, and by the longest of equally sure ones', () => {
    expect(mergeOverlapping([a, b, c, d]).map(({ span }) => span)).toEqual([b, d])
  })

  it('are named by the most specific one, however sure another is', () => {
    const merged = mergeOverlapping([a, b], span => (span === a ? 1 : 0))
    expect(merged).toEqual([{ span: a, aliases: [b] }])
  })

  it('make one that overlaps two others an alias of both', () => {
    const wide = { start: 0, end: 40, confidence: 0.4 }
    expect(mergeOverlapping([wide, b, c])).toEqual([
      { span: b, aliases: [wide] },
      { span: c, aliases: [wide] },
    ])
  })
})
