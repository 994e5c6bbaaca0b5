import { describe, expect, test } from 'vitest'
import { decode } from '../../../engine/base/text/decode.ts'
import fc from '../../made/property.ts'

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
const SOURCE = 'int größe = 1; // 日本\r\n\tif (a < b) return "x";\n'

describe('by the bytes alone', () => {
  test('ASCII and UTF-8 text is UTF-8', () => {
    expect(decode(Buffer.from('int a;\n'))).toEqual({ text: 'int a;\n', encoding: 'utf-8' })
    expect(decode(Buffer.from(SOURCE))).toEqual({ text: SOURCE, encoding: 'utf-8' })
    expect(decode(new Uint8Array(0))).toEqual({ text: '', encoding: 'utf-8' })
  })

  test('a byte order mark decides and is no part of the text', () => {
    const with_mark = `\ufeff${SOURCE}`
    expect(decode(Buffer.from(with_mark))).toEqual({ text: SOURCE, encoding: 'utf-8' })
    expect(decode(Buffer.from(with_mark, 'utf16le'))).toEqual({ text: SOURCE, encoding: 'utf-16le' })
    expect(decode(utf16be(with_mark))).toEqual({ text: SOURCE, encoding: 'utf-16be' })
    expect(decode(Buffer.from([0xff, 0xfe]))).toEqual({ text: '', encoding: 'utf-16le' })
  })

  test('UTF-16 without a mark is told by how its NULs lie', () => {
    expect(decode(Buffer.from(SOURCE, 'utf16le'))).toEqual({ text: SOURCE, encoding: 'utf-16le' })
    expect(decode(utf16be(SOURCE))).toEqual({ text: SOURCE, encoding: 'utf-16be' })
    const chinese = '如果用户没有登录，则返回错误。 \n密码 = "秘密"\n'.repeat(20)
    expect(decode(Buffer.from(chinese, 'utf16le'))).toEqual({ text: chinese, encoding: 'utf-16le' })
    expect(decode(utf16be(chinese))).toEqual({ text: chinese, encoding: 'utf-16be' })
  })

  test('other text is windows-1252, with its quotes, dashes and euro sign', () => {
    expect(decode(Buffer.from('caf\xe9 \x80 \x93x\x94 \x96\n', 'latin1'))).toEqual({
      text: 'café € “x” –\n',
      encoding: 'windows-1252',
    })
  })

  const utf32 = (source: string, mark: boolean) =>
    Buffer.from(Uint32Array.from((mark ? '\ufeff' : '') + source, character => character.codePointAt(0)!).buffer)

  test('UTF-32 is read in both orders, by its mark and without one', () => {
    const source = 'int a = 1; // 日本 🦊\n'.repeat(3)
    for (const mark of [true, false]) {
      expect(decode(utf32(source, mark))).toEqual({ text: source, encoding: 'utf-32le' })
      expect(decode(utf32(source, mark).swap32())).toEqual({ text: source, encoding: 'utf-32be' })
    }
    expect(decode(Buffer.concat([utf32('ab', true), Buffer.from([0, 0xd8, 0, 0, 0x63])]))).toMatchObject({
      text: expect.stringMatching(/^ab/),
    })
  })

  test('a NUL becomes a space, so that nothing behind it is lost', () => {
    expect(decode(Buffer.from('/* \0 */ run(a)\n'))).toEqual({ text: '/*   */ run(a)\n', encoding: 'utf-8' })
    expect(decode(Buffer.from('caf\xe9 \0 run(a)', 'latin1'))).toEqual({
      text: 'café   run(a)',
      encoding: 'windows-1252',
    })
  })

  test('a mark of UTF-16 before single bytes hides nothing', () => {
    const source = '<?php system($_GET["c"]); // a program for the server\n'
    for (const mark of [
      [0xff, 0xfe],
      [0xfe, 0xff],
    ])
      expect(decode(Buffer.concat([Buffer.from(mark), Buffer.from(source)]))).toMatchObject({
        text: expect.stringContaining(source),
      })
  })

  test('bytes that fit nowhere in UTF-16 become U+FFFD, and the rest is text', () => {
    const odd = Buffer.concat([Buffer.from('\ufeffa = 1\n', 'utf16le'), Buffer.from([0x00, 0xd8, 0x62, 0, 0x63])])
    expect(decode(odd)).toEqual({ text: 'a = 1\n\ufffdb\ufffd', encoding: 'utf-16le' })
  })
})

describe('with a declared encoding', () => {
  test.each([
    ['UTF-16LE-BOM', Buffer.from(`\ufeff${SOURCE}`, 'utf16le'), SOURCE, 'utf-16le'],
    ['UTF-16LE', Buffer.from(SOURCE, 'utf16le'), SOURCE, 'utf-16le'],
    ['utf-16be', utf16be('日本'), '日本', 'utf-16be'],
    ['UTF-16', utf16be(SOURCE), SOURCE, 'utf-16be'],
    ['UTF-16', Buffer.from('日本', 'utf16le'), '日本', 'utf-16le'],
    ['Shift_JIS', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本', 'shift_jis'],
    ['SHIFT-JIS', Buffer.from([0x93, 0xfa]), '日', 'shift_jis'],
    ['CP932', Buffer.from([0x93, 0xfa]), '日', 'shift_jis'],
    ['cp1251', Buffer.from([0xef, 0xf0]), 'пр', 'windows-1251'],
    ['EUC-JP', Buffer.from([0xc6, 0xfc]), '日', 'euc-jp'],
    ['latin-1', Buffer.from([0xe9, 0x80]), 'é€', 'windows-1252'],
    ['ISO-8859-1', Buffer.from([0xe9]), 'é', 'windows-1252'],
    ['utf8', Buffer.from('é'), 'é', 'utf-8'],
  ])('%s is read as that', (declared, bytes, text, encoding) => {
    expect(decode(bytes, declared)).toEqual({ text, encoding })
  })

  test('an unknown one makes the file undecodable, and is named', () => {
    expect(decode(Buffer.from([0xc1, 0x82]), 'cp037')).toEqual({
      skip: 'undecodable',
      detail: 'the declared encoding "cp037" is unknown',
    })
  })

  test('text that has a NUL or a byte of another encoding cannot be hidden behind a declaration either', () => {
    for (const declared of ['UTF-16', 'UTF-16LE', 'UTF-16BE', 'bogus'])
      for (const source of ['pass = "x" # \0\n', 'pass = "x" # \0\0 größe und mehr davon\n'])
        expect(decode(Buffer.from(source), declared)).toMatchObject({ text: source.replaceAll('\0', ' ') })
    const latin = Buffer.from('color_of_it = "hunter" # caf\xe9, and so on\n', 'latin1')
    expect(decode(latin, 'UTF-16')).toMatchObject({ text: expect.stringContaining('color_of_it = "hunter"') })
  })

  test('plain text cannot be hidden behind a declaration', () => {
    for (const declared of ['UTF-16', 'UTF-16LE', 'UTF-16BE', 'bogus', 'utf-7', '']) {
      expect(decode(Buffer.from('password = "x"\n'), declared)).toEqual({ text: 'password = "x"\n', encoding: 'utf-8' })
    }
  })

  test('a byte order mark beats it', () => {
    expect(decode(Buffer.from('\ufeffa', 'utf16le'), 'Shift_JIS')).toEqual({ text: 'a', encoding: 'utf-16le' })
  })
})

describe('whatever the bytes', () => {
  const text = fc
    .string({ unit: 'grapheme', maxLength: 200 })
    .filter(value => !value.includes('\0') && !value.startsWith('\ufeff'))

  test('UTF-8 text comes back as it was written', () => {
    fc.assert(
      fc.property(text, value => {
        expect(decode(Buffer.from(value))).toEqual({ text: value, encoding: 'utf-8' })
      }),
    )
  })

  test('marked UTF-16 text comes back as it was written', () => {
    fc.assert(
      fc.property(text, value => {
        expect(decode(Buffer.from(`\ufeff${value}`, 'utf16le'))).toEqual({ text: value, encoding: 'utf-16le' })
        expect(decode(utf16be(`\ufeff${value}`))).toEqual({ text: value, encoding: 'utf-16be' })
      }),
    )
  })

  test('there is text or a reason, and never an exception', () => {
    const declared = fc.option(fc.oneof(fc.string(), fc.constantFrom('UTF-16', 'big5', 'iso-2022-jp', 'utf-8')), {
      nil: undefined,
    })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), declared, (bytes, encoding) => {
        const result = decode(bytes, encoding)
        expect('text' in result ? typeof result.text : result.skip).toMatch(/^(string|undecodable)$/)
      }),
      { numRuns: 1000 },
    )
  })

  test('windows-1252 keeps one character for each byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ min: 1, minLength: 1 }), bytes => {
        const result = decode(bytes)
        if ('text' in result && result.encoding === 'windows-1252') expect(result.text.length).toBe(bytes.length)
      }),
    )
  })
})
