import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { applyFixes } from '../../engine/fixes/apply.ts'
import type { Splice } from '../../engine/fixes/encoded-text.ts'
import { formatUnifiedDiff } from '../../engine/fixes/unified-diff.ts'
import { growth, SQUARE } from '../made/effort.ts'
import { folder } from '../made/folder.ts'
import fc from '../made/property.ts'
import { fixes, replacingRule } from './scanned.ts'

const piece = fc.constantFrom('a', 'b', 'c d', '\n', '\n\n', '\r\n', 'é')
const long = fc.array(piece, { maxLength: 40 }).map(parts => parts.join(''))

function spliced(text: string, splices: readonly Splice[]): string {
  return [...splices]
    .reverse()
    .reduce((now, { start, end, text: added }) => now.slice(0, start) + added + now.slice(end), text)
}

it('git applies the diff to the same effect, whatever text and replacements', () => {
  const root = folder()
  fc.assert(
    fc.property(long, fc.array(fc.tuple(fc.nat(80), long), { maxLength: 4 }), (text, cuts) => {
      const at = [...new Set(cuts.map(([place]) => Math.min(place, text.length)))].sort((a, b) => a - b)
      const splices: Splice[] = []
      for (let n = 0; n + 1 < at.length; n += 2) splices.push({ start: at[n]!, end: at[n + 1]!, text: cuts[n]![1] })
      const after = spliced(text, splices)
      const diff = formatUnifiedDiff('f', text, splices)
      expect(diff === '').toBe(after === text)
      if (diff === '') return
      writeFileSync(join(root, 'f'), text)
      execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: root, input: diff, stdio: 'pipe' })
      expect(readFileSync(join(root, 'f'), 'utf8')).toBe(after)
    }),
    { numRuns: 150 },
  )
})

it('is what git itself would say of the change', () => {
  const text = Array.from({ length: 30 }, (_, n) => `line ${n}\n`).join('')
  const place = (line: string) => ({ start: text.indexOf(line), end: text.indexOf(line) + line.length })
  const splices = [
    { ...place('line 2\n'), text: '' },
    { ...place('line 9'), text: 'nine\nand a half' },
    { start: text.length, end: text.length, text: 'no end' },
  ]
  const root = folder({ 'a/f': text, 'b/f': spliced(text, splices) })
  let said = ''
  try {
    execFileSync('git', ['diff', '--no-index', '--no-color', 'a/f', 'b/f'], { cwd: root })
  } catch (error) {
    said = String((error as { stdout: Buffer }).stdout)
  }
  const body = (diff: string) =>
    diff
      .slice(diff.indexOf('@@'))
      .replace(/^(@@ .*? @@).*$/gm, '$1')
      .replace(/ ([-+]\d+) /g, ' $1,1 ')
  expect(body(formatUnifiedDiff('f', text, splices))).toBe(body(said))
})

it.each(['a b.txt', 'q"uote', 'back\\slash', 'ta\tb', 'new\nline', 'ü/日本.txt', '-dash'])(
  'names %j so that git finds it',
  name => {
    const root = folder()
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), 'one\n')
    const diff = formatUnifiedDiff(name, 'one\n', [{ start: 0, end: 3, text: 'two' }])
    execFileSync('git', ['apply', '-'], { cwd: root, input: diff, stdio: 'pipe' })
    expect(readFileSync(join(root, name), 'utf8')).toBe('two\n')
  },
)

it('matches the byte order mark of the file', async () => {
  const rule = await replacingRule('bad', 'bad', 'good')
  const bytes = Buffer.from('\uFEFFbad\nend\n')
  const root = folder()
  writeFileSync(join(root, 'f'), bytes)
  execFileSync('git', ['apply', '-'], {
    cwd: root,
    input: applyFixes(bytes, fixes([rule], 'f', bytes)).diff,
    stdio: 'pipe',
  })
  expect(readFileSync(join(root, 'f'), 'utf8')).toBe('\uFEFFgood\nend\n')
})

it('takes for ten thousand fixes in one file no more than in proportion to their number, and so does planning them', async () => {
  const rule = await replacingRule('bad', 'bad', 'good')
  const fixed = (count: number) => {
    const text = Array.from({ length: 5 * count }, (_, n) => (n % 5 ? `line ${n}\n` : 'bad\n')).join('')
    const bytes = Buffer.from(text)
    const found = fixes([rule], 'f', bytes)
    expect(found).toHaveLength(count)
    return { text, after: Buffer.from(applyFixes(bytes, found).bytes).toString() }
  }
  const { text, after } = fixed(10_000)
  expect(after).toBe(text.replaceAll('bad', 'good'))
  expect(growth(fixed, 1000, 3)).toBeLessThan(SQUARE)
})
