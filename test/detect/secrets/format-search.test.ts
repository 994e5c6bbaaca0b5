import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SecretRule } from '../../../engine/base/records/rule.ts'
import { runFormat, weighConfidence } from '../../../engine/detect/secrets/run.ts'
import { sample } from '../../../engine/detect/secrets/sample.ts'
import { writeOut } from '../../../engine/detect/secrets/shorthand.ts'
import { findTokenRuns, isEnough } from '../../../engine/detect/secrets/token-runs.ts'
import { parseDetector } from '../../../engine/sources/packs/detector-file.ts'
import { beginsWithOne, findLeastRun, measureLongestMatch } from '../../../engine/sources/packs/format-shape.ts'
import fc from '../../made/property.ts'
import { ROOT } from '../../root.ts'

const FOLDER = join(ROOT, 'packs/secrets/detectors')
const names = readdirSync(FOLDER).filter(name => name.endsWith('.yaml'))
const rules = await Promise.all(names.map(name => parseDetector(readFileSync(join(FOLDER, name)), name, 'secrets')))
const formats = rules.filter(
  (rule): rule is typeof rule & SecretRule => rule.type === 'secret' && rule.detector.format !== undefined,
)

const runsOf = (text: string) => {
  const { starts, ends, plain } = findTokenRuns(Buffer.from(text, 'latin1'))
  return starts.map((start, index) => [text.slice(start, ends[index]), plain[index]])
}

describe('runs of letters and digits', () => {
  it('are all those of 24 characters and more that base64 is written in, in either alphabet', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.constantFrom('a', '7', '-', '_', '+/', '.', ' ', '\u00e9'), fc.integer({ min: 1, max: 30 })),
        ),
        parts => {
          const text = parts.map(([sign, count]) => sign.repeat(count)).join('')
          expect(runsOf(text).map(([run]) => run)).toEqual(text.match(/[\w+/-]{24,}/g) ?? [])
        },
      ),
    )
  })

  it('say how long the longest part of them is that is letters and decimal digits alone', () => {
    expect(runsOf('abc-abcdefgh_0123456789/abcdef')).toEqual([['abc-abcdefgh_0123456789/abcdef', 10]])
    expect(runsOf('-'.repeat(40))).toEqual([['-'.repeat(40), 0]])
  })
})

describe('what a format says of its matches', () => {
  it.each([
    ['(?<![\\w-])(?<secret>ab[cd]_[A-Za-z0-9]{36})(?![\\w-])', 40, 36],
    ['acme(?<secret>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})', 40, 12],
    ['x(?<secret>[\\w-]{30}|[0-9a-f]{24})', 25, 1],
    ['(?<secret>[A-Za-z0-9]{20}\\.[A-Za-z0-9]{27})', 27, 27],
    ['k(?:v2_|old-)?(?<secret>[a-z]{26})', 27, 26],
    ['(?<secret>[\\w-]{10}.[\\w-]{30,40})', 30, 0],
  ])('%s: a run of %i, of which %i are letters and digits on end', (format, length, plain) => {
    expect(findLeastRun(format)).toEqual({ length, plain })
  })

  it.each(['(?<secret>[A-Za-z0-9]{20})', '(?<secret>[^"]{50})', '(?<secret>[0-9a-f]{40}|[!-~]{40})'])(
    '%s: no run that is looked for',
    format => {
      expect(findLeastRun(format)).toBeUndefined()
    },
  )

  it('holds for each sample of each detector', () => {
    for (const { id, detector, match } of formats) {
      const runs = match.map(({ code }) => findTokenRuns(Buffer.from(code, 'latin1')))
      const { least_run: least } = detector
      if (least)
        for (const own of runs)
          expect(
            own.starts.some((_, at) => isEnough(own, at, least)),
            id,
          ).toBe(true)
    }
  })

  it('knows whether all of them begin with a text', () => {
    expect(beginsWithOne('(?<![\\w-])(?:\\bacme|corp_)x', ['acme', 'corp_'])).toBe(true)
    expect(beginsWithOne('(?:acme|corp)x', ['acme'])).toBe(false)
    expect(beginsWithOne('my?acme', ['acme'])).toBe(false)
    expect(beginsWithOne('(?<secret>Acme_[a-z]{3})', ['acme_'])).toBe(true)
  })

  it('knows how long the longest is', () => {
    expect(measureLongestMatch('(?:ab|c)[d-f]{1,3}')).toBe(10)
  })
})

/** Matches of a format anywhere in a text, as far as its words are near. */
function everywhere({ detector }: SecretRule, text: string): [number, number][] {
  const form = new RegExp(writeOut(detector.format!), `dgmu${detector.ignore_case ? 'i' : ''}`)
  const out: [number, number][] = []
  for (const found of text.matchAll(form)) {
    const { secret, head } = found.indices!.groups!
    const [start, end] = secret!
    const { words, within } = detector.near ?? { words: [''], within: text.length }
    const around = text.slice(Math.max(0, found.index - within - 100), found.index + within + 100).toLowerCase()
    if (words.some(word => around.includes(word)) && weighConfidence(detector, text.slice(start, end)) > 0)
      out.push([head?.[0] ?? start, end])
  }
  return out
}

describe('a format is searched for', () => {
  it('where it may match, which finds what a search of the whole text does', () => {
    const filler = fc.constantFrom(
      '',
      '\n',
      ' ',
      'int deviceKey = 0x00;\n'.repeat(80),
      '-'.repeat(60),
      'é\n',
      'a'.repeat(40),
      'Zx9'.repeat(30),
    )
    const template = fc.constantFrom(...formats.flatMap(rule => rule.match.map(({ code }) => ({ rule, code }))))
    fc.assert(
      fc.property(fc.array(fc.tuple(filler, template, filler), { minLength: 1, maxLength: 4 }), parts => {
        const text = parts.map(([before, { code }, after]) => `${before}\n${code}\n${after}`).join('\n')
        for (const [, { rule }] of parts) {
          // What is between BEGIN and END lines is found without its format too (test/detect/secrets/private-keys.test.ts).
          const { armor: _, ...detector } = rule.detector
          const found = runFormat({ ...rule, detector }, text).map(({ start, end }) => [start, end])
          expect(found, rule.id).toEqual(everywhere(rule, text))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('also where its value stands far behind the text that it begins with, and among other long runs', () => {
    const rule = formats.find(({ id }) => id === 'secret-ethereum-private-key')!
    const key = sample('{hex:64}', 'far')
    const digests = Array.from({ length: 30 }, (_, index) => sample('{hex:64}', `digest ${index}`)).join('\n')
    const text = `${digests}\nethereum: {\n  network: "main",\n  private_key: "${key}"\n}\n${digests}`
    expect(runFormat(rule, text).map(({ start, end }) => text.slice(start, end))).toEqual([key])
  })
})
