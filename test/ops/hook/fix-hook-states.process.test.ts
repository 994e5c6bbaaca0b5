import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { write } from '../../made/folder.ts'
import { git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import fc from '../../made/property.ts'
import { RULES, run, scan } from './staging.ts'

/** A line and who wrote it: `b` the commit, `s` the staged change, `u` the change that is not staged. No two are equal. */
interface Line {
  by: 'b' | 's' | 'u'
  text: string
}
type Edit = { at: number; kind: 'replace' | 'insert' | 'delete'; word: string }
interface State {
  committed: number
  staged: Edit[]
  unstaged: Edit[]
  working: 'edited' | 'deleted' | 'folder' | 'link' | 'executable'
  ends: 'lf' | 'crlf' | 'mixed'
  closed: boolean
}

const edits = (words: string[], most: number) =>
  fc.array(
    fc.record({
      at: fc.nat(11),
      kind: fc.constantFrom('replace' as const, 'insert' as const, 'delete' as const),
      word: fc.constantFrom(...words),
    }),
    { maxLength: most },
  )
const state: fc.Arbitrary<State> = fc.record({
  committed: fc.nat(11),
  staged: edits(['bad', 'worse', 'fine', 'bad worse bad'], 4),
  unstaged: edits(['bad', 'fine', 'mine'], 3),
  working: fc.oneof(
    { weight: 12, arbitrary: fc.constant('edited' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('deleted' as const, 'folder' as const, 'link' as const, 'executable' as const),
    },
  ),
  ends: fc.constantFrom('lf', 'crlf', 'mixed'),
  closed: fc.boolean(),
})

function edited(lines: readonly Line[], by: Line['by'], changes: readonly Edit[]): Line[] {
  const out = [...lines]
  changes.forEach(({ at, kind, word }, number) => {
    const place = Math.min(at, out.length)
    const line = { by, text: `${by}${number} ${word}` }
    out.splice(place, kind === 'insert' ? 0 : 1, ...(kind === 'delete' ? [] : [line]))
  })
  return out
}

/** Bytes of the lines; in mixed text every third line ends otherwise. */
function bytesOf(lines: readonly Line[], { ends, closed }: State, at: 'index' | 'tree', autocrlf: boolean): Buffer {
  const end = ({ text }: Line) => {
    if (autocrlf) return at === 'tree' ? '\r\n' : '\n'
    return ends === 'crlf' || (ends === 'mixed' && text.charCodeAt(1) % 3 === 0) ? '\r\n' : '\n'
  }
  const text = lines.map(line => line.text + end(line)).join('')
  return Buffer.from(closed ? text : text.replace(/\r?\n$/, ''))
}

/** What the staged change wrote, mended; lines that are not staged are nobody's business. */
function mended(lines: readonly Line[]): Line[] {
  return lines.map(line =>
    line.by === 's' ? { ...line, text: line.text.replace(/\bbad\b/g, 'good').replace(/\bworse\b/g, 'best') } : line,
  )
}

/** Everything in a working tree but what svc and git keep there: kind, mode and content by path. */
function snapshot(root: string, folder = ''): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(join(root, folder))) {
    const path = join(folder, name)
    if (path === '.git' || path === 'out') continue
    const stats = lstatSync(join(root, path))
    if (stats.isDirectory()) Object.assign(found, { [path]: 'folder' }, snapshot(root, path))
    else found[path] = stats.isSymbolicLink() ? 'link' : `${stats.mode} ${readFileSync(join(root, path), 'base64')}`
  }
  return found
}

/** The lines that differ between what is staged and the working tree, without where they are. */
function unstagedDiffs(root: string): Map<string, string[]> {
  const args = ['-c', 'core.autocrlf=false', 'diff', '--no-color', '--no-ext-diff', '--no-renames', '--minimal', '-U0']
  const text = execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  const found = new Map<string, string[]>()
  for (const part of text.split(/^diff --git a\//m).slice(1)) {
    const [path = ''] = part.split(' b/', 1)
    const lines = part.split('\n').filter(line => /^[+-](?![+-]{2} )/.test(line))
    found.set(path, [...(found.get(path) ?? []), ...lines])
  }
  return found
}

/** What is staged at each of the paths, from one process. */
function stagedContents(root: string, paths: readonly string[]): Buffer[] {
  const input = paths.map(path => `:${path}\n`).join('')
  const output = execFileSync('git', ['cat-file', '--batch'], { cwd: root, input })
  let at = 0
  return paths.map(() => {
    const end = output.indexOf(10, at)
    const size = Number(output.toString('latin1', at, end).split(' ')[2])
    at = end + 1 + size + 1
    return output.subarray(end + 1, end + 1 + size)
  })
}

const tally = { states: 0, fixed: 0, carriedOver: 0, untouched: 0 }

it('leaves all unstaged work as it is, on 300 generated states of index and working tree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(state, { minLength: 10, maxLength: 10 }), fc.boolean(), async (states, autocrlf) => {
      const root = project({ ...RULES, '.gitattributes': autocrlf ? '' : '*.txt -text\n', 'kept.txt': 'kept\n' })
      if (autocrlf) git(root, 'config', 'core.autocrlf', 'true')
      git(root, 'config', 'core.safecrlf', 'false')
      const files = states.map((one, number) => {
        const base = Array.from({ length: one.committed }, (_, n): Line => ({ by: 'b', text: `b${n} line` }))
        const staged = edited(base, 's', one.staged)
        return { path: `dir/f${number}.txt`, one, base, staged, working: edited(staged, 'u', one.unstaged) }
      })
      const put = (of: 'base' | 'staged' | 'working') =>
        write(root, Object.fromEntries(files.map(file => [file.path, bytesOf(file[of], file.one, 'tree', autocrlf)])))
      put('base')
      git(root, 'add', '-A')
      git(root, 'commit', '-qm', 'base')
      put('staged')
      git(root, 'add', '-A')
      put('working')
      for (const { path, one } of files) {
        const place = join(root, path)
        if (one.working === 'executable') chmodSync(place, 0o755)
        else if (one.working !== 'edited') rmSync(place)
        if (one.working === 'folder') mkdirSync(place)
        if (one.working === 'link') symlinkSync('../kept.txt', place)
      }
      write(root, { 'kept.txt': 'bad, and not staged\n', 'untracked.txt': 'bad\n' })

      await scan(root)
      const before = snapshot(root)
      const index = git(root, 'ls-files', '-s').split('\n')
      const diffs = unstagedDiffs(root)
      const output = await run(root)
      const after = snapshot(root)
      const shown = stagedContents(
        root,
        files.map(({ path }) => path),
      )
      const later = unstagedDiffs(root)
      const outcome = new Map(output.files.map(file => [file.file, file]))

      expect(Object.keys(after)).toEqual(Object.keys(before))
      for (const [number, { path, one, staged, working }] of files.entries()) {
        const told = outcome.get(path)
        const hasFix = mended(staged).some(({ text }, line) => text !== staged[line]!.text)
        expect(told?.applied.length ?? 0, path).toBeGreaterThanOrEqual(hasFix ? 1 : 0)
        expect(told?.refused ?? []).toEqual([])
        expect(shown[number]!.toString(), path).toBe(bytesOf(mended(staged), one, 'index', autocrlf).toString())
        tally.states++
        if (!hasFix) {
          expect(after[path], path).toBe(before[path])
          continue
        }
        tally.fixed++
        if (told!.working_file === 'updated') {
          const expected = bytesOf(mended(working), one, 'tree', autocrlf)
          expect(readFileSync(join(root, path)).toString(), path).toBe(expected.toString())
          expect(after[path]!.split(' ')[0], path).toBe(before[path]!.split(' ')[0])
          if (!autocrlf) expect(later.get(path) ?? [], path).toEqual(diffs.get(path) ?? [])
          if (one.unstaged.length > 0) tally.carriedOver++
        } else {
          expect(after[path], path).toBe(before[path])
          const clean = one.unstaged.length === 0 && /^(edited|executable)$/.test(one.working)
          expect(clean, `${path} has no unstaged change of its own, so it follows`).toBe(false)
          tally.untouched++
        }
      }
      const fixed = new Set(output.files.map(({ file }) => file))
      const others = (lines: string[]) => lines.filter(line => !fixed.has(line.split('\t')[1]!))
      expect(others(git(root, 'ls-files', '-s').split('\n'))).toEqual(others(index))
      const modes = (lines: string[]) => lines.map(line => line.replace(/^(\d+) \S+/, '$1'))
      expect(modes(git(root, 'ls-files', '-s').split('\n'))).toEqual(modes(index))
      for (const path of ['kept.txt', 'untracked.txt']) expect(after[path]).toBe(before[path])
    }),
    { numRuns: 30, endOnFailure: true, interruptAfterTimeLimit: 560_000 },
  )
  expect(tally.states).toBe(300)
  expect(tally.fixed).toBeGreaterThan(100)
  expect(tally.carriedOver).toBeGreaterThan(20)
  expect(tally.untouched).toBeGreaterThan(10)
}, 600_000)
