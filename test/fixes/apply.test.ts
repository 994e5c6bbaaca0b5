import { beforeAll, describe, expect, it } from 'vitest'
import { detectLanguage } from '../../engine/base/languages/languages.ts'
import { decode } from '../../engine/base/text/decode.ts'
import type { CompiledRule } from '../../engine/detect/rules/active-rules.ts'
import { applyFixes } from '../../engine/fixes/apply.ts'
import { openText } from '../../engine/fixes/encoded-text.ts'
import { selectFixable } from '../../engine/fixes/plan.ts'
import { loadBuiltinRules, loadExamples } from '../../engine/sources/packs/load.ts'
import fc from '../made/property.ts'
import { fixes, replacingRule, scanned } from './scanned.ts'

let rules: CompiledRule[]
let bad: CompiledRule
beforeAll(async () => {
  bad = await replacingRule('bad', '\\bbad(\\d*)\\b', 'good$1')
  rules = [
    bad,
    await replacingRule('two-lines', 'left\\s+right', 'whole', 'high'),
    await replacingRule('split', '\\bjoin\\b', 'one\ntwo'),
  ]
})

const utf8 = (text: string) => Buffer.from(text)
const utf16le = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
const utf16be = (text: string) => Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()])
const marked = (text: string) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const FORMS = { utf8, marked, utf16le, utf16be, latin1 }

const word = fc.constantFrom('bad', 'bad7', 'left right', 'left\n\tright', 'join', 'fine', 'é', '  ', '\t', 'baddy', '')
const line = fc.array(word, { maxLength: 6 }).map(words => words.join(' '))
/** Lines in the end of one kind, or of both. */
const text = fc
  .tuple(fc.array(fc.tuple(line, fc.boolean()), { maxLength: 8 }), fc.constantFrom('lf', 'crlf', 'mixed'), fc.boolean())
  .map(([lines, ends, closed]) => {
    const end = (odd: boolean) => (ends === 'crlf' || (ends === 'mixed' && odd) ? '\r\n' : '\n')
    const joined = lines.map(([content, odd]) => content.replaceAll('\n', end(odd)) + end(odd)).join('')
    return closed ? joined : joined.replace(/\r?\n$/, '')
  })
const form = fc.constantFrom(...(Object.keys(FORMS) as (keyof typeof FORMS)[]))

describe('applying the fixes of a scan', () => {
  it('removes the findings: the next scan finds nothing that was fixed, whatever encoding and line ends', () => {
    fc.assert(
      fc.property(text, form, (content, kind) => {
        const bytes = FORMS[kind](content)
        const found = fixes(rules, 'a.txt', bytes)
        const { bytes: fixed, applied, refused } = applyFixes(bytes, found)
        expect([...applied, ...refused.map(({ finding }) => finding)]).toHaveLength(found.length)
        expect(refused).toEqual([])
        expect(scanned(rules, 'a.txt', 'text', fixed)).toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  it('changes nothing but the places of the fixes: the text between them is the same, byte for byte', () => {
    fc.assert(
      fc.property(text, form, (content, kind) => {
        const bytes = FORMS[kind](content)
        const fixed = applyFixes(bytes, fixes([bad], 'a.txt', bytes)).bytes
        expect(Buffer.from(fixed)).toEqual(FORMS[kind](content.replace(/\bbad(\d*)\b/g, 'good$1')))
      }),
      { numRuns: 400 },
    )
  })

  it('gives the same file whatever order the findings come in, and all at once or one after the other', () => {
    fc.assert(
      fc.property(text, form, fc.infiniteStream(fc.nat()), (content, kind, random) => {
        const bytes = FORMS[kind](content)
        const found = fixes(rules, 'a.txt', bytes)
        const shuffled = found.map(one => [random.next().value as number, one] as const).sort(([a], [b]) => a - b)
        const all = applyFixes(bytes, found)
        expect(
          applyFixes(
            bytes,
            shuffled.map(([, one]) => one),
          ),
        ).toEqual(all)
        // A fix with lines of its own takes the line ends around it, which another may take away: not among these.
        const inline = rules.filter(({ id }) => id !== 'test-split')
        const together = applyFixes(bytes, fixes(inline, 'a.txt', bytes)).bytes
        let one: Uint8Array = bytes
        for (let left = fixes(inline, 'a.txt', one); left.length > 0; left = fixes(inline, 'a.txt', one)) {
          one = applyFixes(one, [left[(random.next().value as number) % left.length]!]).bytes
        }
        expect(Buffer.from(one)).toEqual(Buffer.from(together))
      }),
      { numRuns: 200 },
    )
  })

  it('refuses a fix where the code has changed since, and leaves the file as it is', () => {
    const found = fixes([bad], 'a.txt', utf8('one\nbad1 here\n'))
    for (const now of [
      'one\n',
      'one\nbad2 here\n',
      'one\nbad1 there\n',
      'zero\none\nbad1 here\n',
      'one\n bad1 here\n',
      '',
    ]) {
      const { bytes, applied, refused } = applyFixes(utf8(now), found)
      expect([applied, refused.map(({ reason }) => reason), Buffer.from(bytes).toString()], now).toEqual([
        [],
        ['changed'],
        now,
      ])
    }
  })

  it('takes the fix that a line further down, or further up, does not touch', () => {
    const found = fixes([bad], 'a.txt', utf8('one\nbad1 here\nthree\n'))
    const { bytes, refused } = applyFixes(utf8('ONE\nbad1 here\n'), found)
    expect([Buffer.from(bytes).toString(), refused]).toEqual(['ONE\ngood1 here\n', []])
  })

  it('knows a change of white space inside the match, which the fingerprint does not see', async () => {
    const rule = await replacingRule('call', 'call\\((.*)\\)', 'safe($1)')
    const found = fixes([rule], 'a.txt', utf8('call("a  b")\n'))
    expect(applyFixes(utf8('call("a b")\n'), found).refused[0]).toMatchObject({ reason: 'changed' })
  })

  it('knows a change beyond what the snippet shows of a long line', async () => {
    const rule = await replacingRule('long', 'begin.*end', 'short')
    const before = `begin ${'x'.repeat(300)} end\n`
    const found = fixes([rule], 'a.txt', utf8(before))
    expect(applyFixes(utf8(before.replace('x end', 'y end')), found).refused[0]).toMatchObject({ reason: 'changed' })
    expect(Buffer.from(applyFixes(utf8(before), found).bytes).toString()).toBe('short\n')
  })

  it('finds the one that was meant among equals', () => {
    const content = 'bad bad bad\nbad\n'
    const found = fixes([bad], 'a.txt', utf8(content))
    expect(Buffer.from(applyFixes(utf8(content), [found[3]!]).bytes).toString()).toBe('bad bad bad\ngood\n')
    expect(Buffer.from(applyFixes(utf8(content), [found[1]!]).bytes).toString()).toBe('bad good bad\nbad\n')
  })
})

describe('fixes that overlap', () => {
  it('are not both applied: the graver finding has its way, and the other is listed with what it ran into', async () => {
    const inner = await replacingRule('inner', 'b c', 'B', 'low')
    const outer = await replacingRule('outer', 'a b', 'A', 'high')
    const bytes = utf8('a b c\n')
    const { bytes: fixed, applied, refused } = applyFixes(bytes, fixes([inner, outer], 'a.txt', bytes))
    expect(Buffer.from(fixed).toString()).toBe('A c\n')
    expect(applied.map(({ rule_id }) => rule_id)).toEqual(['test-outer'])
    expect(refused).toMatchObject([
      {
        finding: { rule_id: 'test-inner' },
        reason: 'overlaps',
        detail: 'It overlaps the fix of test-outer on line 1.',
      },
    ])
  })

  it('are both applied where they ask for the very same, and where they only touch', async () => {
    const one = await replacingRule('one', 'aa', 'x')
    const again = await replacingRule('again', 'aa', 'x')
    const next = await replacingRule('next', 'bb', 'y')
    const bytes = utf8('aabb\n')
    const { bytes: fixed, applied } = applyFixes(bytes, fixes([one, again, next], 'a.txt', bytes))
    expect([Buffer.from(fixed).toString(), applied.length]).toEqual(['xy\n', 3])
  })

  it('of one finding are taken whole or not at all', () => {
    const bytes = utf8('bad left right\n')
    const [first, second] = fixes(rules, 'a.txt', bytes)
    const other = { ...second!.fix.edits[0]!, text: 'something else' }
    const both = { ...first!, fix: { edits: [...first!.fix.edits, other] } }
    const { bytes: fixed, applied } = applyFixes(bytes, [both, second!])
    expect([Buffer.from(fixed).toString(), applied.length]).toEqual(['bad whole\n', 1])
  })
})

describe('the encoding', () => {
  it('that lacks a character of the fix refuses that fix, and takes the others', async () => {
    const accent = await replacingRule('accent', '\\bplain\\b', 'été')
    const bytes = latin1('caf\u00e9 plain bad\n')
    const { bytes: fixed, refused } = applyFixes(bytes, fixes([accent, bad], 'a.txt', bytes))
    expect(refused).toMatchObject([{ finding: { rule_id: 'test-accent' }, reason: 'encoding' }])
    expect(Buffer.from(fixed).toString('latin1')).toBe('caf\u00e9 plain good\n')
    const plain = utf8('plain\n')
    expect(Buffer.from(applyFixes(plain, fixes([accent], 'a.txt', plain)).bytes).toString()).toBe('été\n')
  })

  it('is kept by every splice, or the splice is refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(60), fc.nat(60), fc.string(), (bytes, a, b, added) => {
        const file = openText(bytes)
        if (!file?.canHold(added)) return
        const [start, end] = [a, b].map(at => Math.min(at, file.text.length)).sort((x, y) => x - y) as [number, number]
        const spliced = file.splice([{ start, end, text: added }])
        if (!spliced) return
        expect(decode(spliced)).toMatchObject({ text: file.text.slice(0, start) + added + file.text.slice(end) })
        expect(spliced.length).toBeGreaterThanOrEqual(Buffer.from(added, 'latin1').length)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
    ['half a unit of UTF-16', Buffer.from([0xff, 0xfe, 0x61, 0, 0x62])],
    ['a mark of UTF-8 before other bytes', Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xe9, 0x62])],
  ])('does not open %s, whose places lead to no bytes', (_, bytes) => {
    expect(openText(bytes)).toBeUndefined()
  })
})

describe('the rules that come with svc', () => {
  it('carry fixes that remove the finding from each of their own examples, and bring no other', () => {
    const all = loadBuiltinRules()
    let tried = 0
    for (const rule of all) {
      if (!('fix' in rule) || rule.fix === undefined) continue
      for (const { code, path } of loadExamples(rule).match) {
        const language = (path && detectLanguage(path)) ?? rule.languages.find(name => name !== 'any') ?? 'text'
        const others = all.filter(({ languages }) => languages.includes(language) || languages.includes('any'))
        const file = path ?? 'example'
        const bytes = utf8(code)
        const before = scanned(others, file, language, bytes)
        const own = selectFixable(before.filter(({ rule_id }) => rule_id === rule.id))
        const { bytes: fixed, refused } = applyFixes(bytes, own)
        expect(refused, `${rule.id}: ${code}`).toEqual([])
        const after = scanned(others, file, language, fixed).map(({ rule_id }) => rule_id)
        expect(after, `${rule.id}: ${code}`).not.toContain(rule.id)
        expect(
          before.map(({ rule_id }) => rule_id),
          `${rule.id}: ${code}`,
        ).toEqual(expect.arrayContaining(after))
        tried++
      }
    }
    expect(tried).toBeGreaterThan(5)
  })
})
