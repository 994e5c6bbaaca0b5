import { describe, expect, it } from 'vitest'
import { findHidden } from '../../../engine/detect/secrets/hidden/find.ts'
import { mapToPieces, type Stretch } from '../../../engine/detect/secrets/hidden/stretch.ts'
import fc from '../../made/property.ts'

const ALL = { escapes: true, joints: true }
const hidden = (text: string, language = 'text') => findHidden(text, Buffer.from(text, 'latin1'), language, ALL)

/** Readable text that is long enough to be told from chance. */
const plain = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-:=."{}\n'),
  minLength: 24,
  maxLength: 300,
})
/** What may stand before and after an encoded text. */
const before = fc.constantFrom('', 'x = "', "key: '", 'data:text/plain;base64,', 'a\n  ', '(', 'Basic ')
const after = fc.constantFrom('', '"\n', "' + x", '\n', ')', ' and more words')

/** The stretch whose text has this in it, and where. */
function stretchWith(stretches: readonly Stretch[], wanted: string): { stretch: Stretch; at: number } {
  const stretch = stretches.find(({ text }) => text.includes(wanted))
  if (!stretch) throw new Error(`${JSON.stringify(wanted)} is in none of ${JSON.stringify(stretches)}`)
  return { stretch, at: stretch.text.indexOf(wanted) }
}

/** Two numbers from which a part of a text that is not empty is made. */
const numbers = fc.tuple(fc.nat(999), fc.nat(999))
function part(text: string, [one, two]: readonly [number, number]): [from: number, to: number] {
  const from = one % text.length
  return [from, from + 1 + (two % (text.length - from))]
}

const encodings = {
  base64: (text: string) => Buffer.from(text).toString('base64'),
  'base64 for addresses': (text: string) => Buffer.from(text).toString('base64url'),
  hexadecimal: (text: string) => Buffer.from(text).toString('hex'),
  'hexadecimal in capitals': (text: string) => Buffer.from(text).toString('hex').toUpperCase(),
}
const decoders: Record<string, (written: string) => string> = {
  base64: written => Buffer.from(written.replace(/[^A-Za-z0-9+/_-]/g, ''), 'base64').toString('latin1'),
  hex: written => Buffer.from(written, 'hex').toString('latin1'),
}

describe('an encoded text', () => {
  it.each(Object.entries(encodings))(
    'in %s is decoded, and every part of it leads to digits that hold it',
    (_, encode) => {
      fc.assert(
        fc.property(plain, before, after, numbers, (text, left, right, spot) => {
          const source = `${left}${encode(text)}${right}`
          const { stretch, at } = stretchWith(hidden(source), text)
          const [from, to] = part(text, spot)
          const place = mapToPieces(stretch, at + from, at + to)
          expect(place.start).toBeGreaterThanOrEqual(left.length)
          expect(place.end).toBeLessThanOrEqual(source.length)
          expect(decoders[stretch.writing]!(source.slice(place.start, place.end))).toContain(text.slice(from, to))
        }),
      )
    },
  )

  it('in base64 is read on over folded lines, whatever their quotes, operators and comment signs', () => {
    const fold = fc.constantFrom(
      '\n',
      '\r\n',
      '\n    ',
      '\\n',
      '\\\n',
      '" +\n  "',
      "'\n  '",
      '" \\\n "',
      '\n # ',
      '\\n" +\n"',
    )
    fc.assert(
      fc.property(plain, fold, fc.constantFrom(32, 64, 76), numbers, (text, separator, width, spot) => {
        const lines = Buffer.from(text)
          .toString('base64')
          .match(new RegExp(`.{1,${width}}`, 'g'))!
        const source = `k = "${lines.join(separator)}"`
        const { stretch, at } = stretchWith(hidden(source), text)
        const [from, to] = part(text, spot)
        const { start, end } = mapToPieces(stretch, at + from, at + to)
        const written = source.slice(start, end).split(separator).join('')
        expect(decoders.base64!(written)).toContain(text.slice(from, to))
      }),
    )
  })

  it('in UTF-16 under base64, as PowerShell takes it, is decoded', () => {
    fc.assert(
      fc.property(plain, text => {
        expect(hidden(`-e ${Buffer.from(text, 'utf16le').toString('base64')}`).map(found => found.text)).toContain(text)
      }),
    )
  })

  it('is not looked for in what a JSON Web Token says', () => {
    const coded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const token = `${coded({ alg: 'HS256', typ: 'JWT' })}.${coded({ sub: '1234567890', name: 'somebody' })}.c2lnbmF0dXJl`
    expect(hidden(token)).toEqual([])
  })

  it('is not made of names, paths and digests', () => {
    const source = [
      'some_very_long_function_name_that_goes_on',
      '/usr/lib/python3/dist-packages/site',
      'da39a3ee5e6b4b0d3255bfef95601890afd80709',
      'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    ].join('\n')
    expect(hidden(source)).toEqual([])
  })
})

const hex = (char: string) => char.charCodeAt(0).toString(16).padStart(2, '0')
const escapes: Record<string, (char: string) => string> = {
  '\\x': char => `\\x${hex(char)}`,
  '\\u': char => `\\u00${hex(char)}`,
  '\\u{}': char => `\\u{${hex(char)}}`,
  percent: char => `%${hex(char).toUpperCase()}`,
  'decimal reference': char => `&#${char.charCodeAt(0)};`,
  'hexadecimal reference': char => `&#x${hex(char)};`,
}

describe('an escaped text', () => {
  it.each(Object.entries(escapes))(
    'with %s is decoded, and every part of it leads to the escapes that hold it',
    (_, written) => {
      const word = fc.string({ unit: fc.constantFrom(...'abcXYZ019_-+/=:@"'), minLength: 4, maxLength: 40 })
      fc.assert(
        fc.property(word, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), numbers, (text, which, spot) => {
          const parts = [...text].map((char, index) => (which[index] || index < 2 ? written(char) : char))
          const source = `first line\nv = '${parts.join('')}'\nlast`
          const { stretch, at } = stretchWith(hidden(source), `'${text}'`)
          const [from, to] = part(text, spot)
          const { start, end } = mapToPieces(stretch, at + 1 + from, at + 1 + to)
          expect(source.slice(start, end)).toBe(parts.slice(from, to).join(''))
        }),
      )
    },
  )

  it('of named references is decoded', () => {
    expect(hidden('<a v="{&quot;k&quot;:&quot;a&amp;b&quot;}"/>')[0]!.text).toContain('{"k":"a&b"}')
  })

  it('is not made of control characters, or of letters beyond ASCII', () => {
    expect(hidden('"\\x1b[0m \\u4e2d\\u6587 &#20013; %E4%B8%AD %20"')).toEqual([])
  })
})

describe('a text in parts', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcXYZ019_-'), minLength: 1, maxLength: 12 })
  it.each([
    ['+', '" + "'],
    ['+ at a line end', '" +\n    "'],
    ['+ at a line start', '"\n  + "'],
    ['a line end', '"\n    "'],
    ['a line end and a prefix', '"\n    f"'],
    ['a full stop', "' . '"],
    ['&', '" & _\n"'.replace(' _', '')],
    ['||', "' || '"],
    ['a space', '" "'],
    ['a backslash at the line end', '\\\n'],
    ['a backslash between literals', '" \\\n  "'],
  ])('that are joined by %s is put together, and leads to the place from its first part to its last', (_, joint) => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 6 }), parts => {
        const quote = joint.startsWith("'") ? "'" : '"'
        const source = `v = ${quote}${parts.join(joint)}${quote}\nnext`
        const { stretch, at } = stretchWith(hidden(source), parts.join(''))
        const { start, end } = mapToPieces(stretch, at, at + parts.join('').length)
        expect(source.slice(start, end)).toBe(parts.join(joint))
      }),
    )
  })

  it.each([
    ['a list that JavaScript joins', "['abc', 'def'].join('')"],
    ['a list that Python joins', '"".join(["abc", "def"])'],
    ['a template around texts', "`a${'bcd'}ef`"],
  ])('in %s is put together', (_, source) => {
    expect(hidden(source).some(({ text }) => text.includes('abcdef'))).toBe(true)
  })

  it('in a folded block of YAML is put together, where each line is one word', () => {
    expect(
      hidden('k: >-\n  abcdefgh\n  ijklmnop\n', 'yaml').some(({ text }) => text.includes('abcdefghijklmnop')),
    ).toBe(true)
    expect(hidden('k: >-\n  some more words\n  in prose\n', 'yaml')).toEqual([])
  })
})

describe('a manifest', () => {
  it('has the values of its Secrets decoded behind their names, however short, and those of nothing else', () => {
    const coded = Buffer.from('s3cr3t!x').toString('base64')
    const of = (kind: string) => `apiVersion: v1\nkind: ${kind}\ndata:\n  password: ${coded}\n---\nkind: ConfigMap\n`
    expect(hidden(of('Secret'), 'yaml').map(({ text }) => text)).toEqual([`password: ${'s3cr3t'}!x`])
    expect(hidden(of('ConfigMap'), 'yaml')).toEqual([])
  })
})

describe('any text', () => {
  it('is looked through without an error, and all that is found lies in it and in its order', () => {
    const bit = fc.constantFrom(
      ...[
        '"',
        "'",
        '`',
        ' + ',
        '\n',
        '\\\n',
        '\\x41',
        '%41%',
        '&#65;',
        '&quot;',
        '${"',
        '"}',
        '.join("")',
        '[',
        ']',
        ',',
      ],
      ...[
        'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=',
        'YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo',
        '\\n',
        'k: >-\n',
        'é',
        '中',
        'abc',
      ],
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(bit, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 40 }), bits => {
        const source = bits.join('')
        const outside = hidden(source, 'yaml').filter(stretch => {
          const places = Array.from(stretch.text, (_, at) => mapToPieces(stretch, at, at + 1))
          return !places.every(({ start, end }) => start >= 0 && start < end && end <= source.length)
        })
        expect(outside).toEqual([])
      }),
    )
  })
})
