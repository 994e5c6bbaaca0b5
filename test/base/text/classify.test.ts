import { expect, test } from 'vitest'
import { classify } from '../../../engine/base/text/classify.ts'
import fc from '../../made/property.ts'

const text = (value: string) => Buffer.from(value)

test('text is for scanning, with or without an end of line, also when empty', () => {
  expect(classify(text('int a;\n'), 'c')).toBeUndefined()
  expect(classify(text(''), 'javascript')).toBeUndefined()
  expect(classify(text('caf\xe9'), null)).toBeUndefined()
})

test('binary data is binary, with the place of the first NUL', () => {
  expect(classify(Buffer.from('7f454c4602010100000000000000000003003e00', 'hex'), null)).toEqual({
    shape: 'binary',
    detail: 'a NUL at byte 7',
  })
  const noise = Buffer.from(Array.from({ length: 9000 }, (_, at) => (at * 7919 + (at >> 3) * 104729) & 255))
  expect(classify(noise, null)).toMatchObject({ shape: 'binary' })
  expect(classify(noise, 'javascript')).toMatchObject({ shape: 'binary' })
})

test('a NUL makes no binary file of text, wherever it stands and whatever the name says', () => {
  for (const language of ['javascript', 'python', 'php', 'yaml', 'text', null])
    for (const source of ['/* \0 */ eval(input)\n', `# ${'x'.repeat(300)}\0\nrun(command)\n`, 'größe = 1 # \0\n'])
      expect(classify(text(source), language), `${language}: ${source.slice(0, 9)}`).toBeUndefined()
})

test('of source code many NULs make none either, as long as it is valid UTF-8 or has few of them', () => {
  expect(
    classify(text(`/*${'\0'.repeat(9000)}*/\nevaluate(input)\n${'call(1)\n'.repeat(200)}`), 'javascript'),
  ).toBeUndefined()
  const latin = Buffer.from(`// caf\xe9 \0\n${'call(1)\n'.repeat(40)}`, 'latin1')
  expect(classify(latin, 'javascript')).toBeUndefined()
})

test('UTF-16 and UTF-32 text is not binary, with a mark or without', () => {
  const source = 'public class Größe { }\r\n'
  const wide = Buffer.from(Uint32Array.from(source, character => character.codePointAt(0)!).buffer)
  expect(classify(Buffer.from(source, 'utf16le'), 'csharp')).toBeUndefined()
  expect(classify(Buffer.from(source, 'utf16le').swap16(), 'csharp')).toBeUndefined()
  expect(classify(Buffer.from(`\ufeff${source}`, 'utf16le'), 'csharp')).toBeUndefined()
  expect(classify(wide, null)).toBeUndefined()
  expect(classify(Buffer.from(wide).swap32(), null)).toBeUndefined()
})

test('binary data that looks a little like UTF-16 or UTF-32 is binary', () => {
  const small = Buffer.from(Uint16Array.from({ length: 500 }, (_, at) => at % 200).buffer)
  const sound = Buffer.from(Int16Array.from({ length: 500 }, (_, at) => Math.round(Math.sin(at) * 300)).buffer)
  const counts = Buffer.from(Uint32Array.from({ length: 500 }, (_, at) => at * 3).buffer)
  for (const bytes of [small, sound, counts]) expect(classify(bytes, null)).toMatchObject({ shape: 'binary' })
})

/** What a minifier leaves: short names, hardly any white space, much punctuation. */
const MINIFIED = 'function t(e,n){return e.map(r=>r.id===n?{...r,x:1}:r)}'.repeat(120)

test('a file whose code is nearly all in lines that nobody wrote is minified, with the figures', () => {
  expect(classify(text(MINIFIED), 'javascript')).toEqual({
    shape: 'minified',
    detail: `100 % of the code in lines over 200 bytes, the longest ${MINIFIED.length}`,
  })
  expect(classify(text(`/* licence */\n${'.a{color:red;margin:0}'.repeat(400)}\n`), 'css')).toMatchObject({
    shape: 'minified',
  })
})

/** What a bundler leaves of an ES module: the lines as they were written, under names of its own. */
function bundle(name: (at: number) => string): string {
  return Array.from({ length: 400 }, (_, at) => {
    const own = name(at)
    return `function ${own}(e, t) {\n  const n = e.find((r) => r.id === t);\n  return n ? { ...n, ok: !0 } : null;\n}\n`
  }).join('')
}
const short = (at: number) => `${'abcdefghijklmnopqrstuvwxyz'[at % 26]}${at.toString(36).slice(-2)}`

test('a large file whose declared names are nearly all renamed by a program is minified, whatever its lines', () => {
  expect(classify(text(bundle(short)), 'javascript')).toEqual({
    shape: 'minified',
    detail: expect.stringMatching(/^100 % of the declared names have at most 3 characters, \d+ different ones$/),
  })
  expect(classify(text(`// a licence with const inMany = words\n${bundle(short)}`), 'typescript')).toBeDefined()
})

test.each([
  ['names that a person gave', bundle(at => `findOrder${at}`)],
  ['names of which a tenth was given by a person', bundle(at => (at % 5 === 0 ? `findOrder${at}` : short(at)))],
  ['a small file', bundle(short).slice(0, 16_000)],
  ['the same few short names again and again', bundle(at => short(at % 20))],
  ['code behind a comment full of short names', `/*${bundle(short)}*/\n${'run(input)\n'.repeat(2000)}`],
  ['code behind a renamed beginning', `${bundle(short)}${bundle(at => `findOrder${at}`)}`],
  ['parameters of types', `${'export type A<const a, const b> = [a, b]\n'.repeat(600)}`],
])('%s: not minified', (_, source) => {
  expect(classify(text(source), 'javascript')).toBeUndefined()
})

test('the same line is scanned in a language that nobody minifies, and so is a small file', () => {
  expect(classify(text(MINIFIED), 'c')).toBeUndefined()
  expect(classify(text(MINIFIED.slice(0, 2000)), 'javascript')).toBeUndefined()
})

test.each([
  ['a comment of 6,000 characters', `/* ${'x'.repeat(6000)} */\nrun(input)\n`],
  ['a comment that looks like minified code', `/* ${MINIFIED} */\nrun(input)\n`],
  ['a line comment behind code', `run(input) // ${MINIFIED.replaceAll('/', '')}\ncall()\n`],
  ['a comment that never ends', `run(input)\n/* ${MINIFIED}`],
  ['a literal of data', `const icon = "${'iVBORw0KGgo'.repeat(900)}"\nrun(input)\n`],
  ['one long line among many written ones', `${'const a = require("a")\n'.repeat(500)}${MINIFIED}\n`],
])('%s does not make its file minified', (_, source) => {
  expect(classify(text(source), 'javascript')).toBeUndefined()
})

test('no name decides: the same content is the same under any', () => {
  const written = text('const a = require("a")\n'.repeat(400))
  expect(classify.length).toBe(2)
  expect(classify(written, 'javascript')).toBeUndefined()
})

test('data is minified by habit: only a large file of it is left to fewer rules', () => {
  const manifest = JSON.stringify(Array.from({ length: 400 }, (_, at) => ({ id: at, name: `n${at}` })))
  expect(classify(text(manifest), 'json')).toBeUndefined()
  const dump = JSON.stringify(Array.from({ length: 9000 }, (_, at) => ({ id: at, name: `n${at}` })))
  expect(classify(text(dump), 'json')).toMatchObject({ shape: 'minified' })
})

test('written code is never minified, however its lines are joined by a comment or a literal of any length', () => {
  const line = fc.constantFrom('const a = run(input)', 'if (a) { call(a) }', '  return a + b', '', 'export default a')
  const noise = fc
    .constantFrom('x', 'ab ', '{}', 'é', 'a=1;')
    .chain(word => fc.integer({ min: 0, max: 3000 }).map(times => `/* ${word.repeat(times)} */`))
  fc.assert(
    fc.property(fc.array(fc.oneof(line, noise), { minLength: 1, maxLength: 40 }), lines => {
      expect(classify(text(lines.join('\n')), 'javascript')).toBeUndefined()
    }),
    { numRuns: 300 },
  )
})
