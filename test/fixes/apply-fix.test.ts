import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import apply from '../../engine/fixes/ops/apply.ts'
import { ProjectFile } from '../../engine/fixes/project-file.ts'
import { context, folder, refusal, repository } from '../config/project.ts'

type Input = Parameters<typeof apply.run>[0]

const run = (root: string, input: Partial<Input> & { file_path: string }) =>
  apply.run({ fixed_code: 'fixed', start_line: 1, end_line: 1, ...input }, context(root))
const read = (root: string, path: string) => readFileSync(join(root, path))

describe('POST /api/apply-fix', () => {
  it('replaces the lines, and says what became of them', async () => {
    const root = repository({ 'src/a.js': 'one\ntwo\nthree\nfour\n' })
    const answer = await run(root, {
      file_path: 'src/a.js',
      fixed_code: 'TWO\n  and\nTHREE\n',
      start_line: 2,
      end_line: 3,
    })
    expect(read(root, 'src/a.js').toString()).toBe('one\nTWO\n  and\nTHREE\nfour\n')
    expect(answer).toEqual({
      file_path: 'src/a.js',
      applied: true,
      start_line: 2,
      end_line: 4,
      lines_removed: 2,
      lines_added: 3,
    })
    expect(readdirSync(join(root, 'src'))).toEqual(['a.js'])
  })

  it('counts from the root of the project wherever the server stands in it', async () => {
    const root = repository({ 'src/a.js': 'one\n' })
    await run(join(root, 'src'), { file_path: 'src/a.js' })
    expect(read(root, 'src/a.js').toString()).toBe('fixed\n')
  })

  it('takes lines out where the fixed code is empty, and leaves an empty one where it is a line end', async () => {
    const root = repository({ a: 'one\ntwo\nthree\n', b: 'one\ntwo\n', c: 'one\ntwo' })
    expect(await run(root, { file_path: 'a', fixed_code: '', start_line: 2, end_line: 2 })).toMatchObject({
      end_line: 1,
    })
    await run(root, { file_path: 'b', fixed_code: '\n', start_line: 1, end_line: 1 })
    await run(root, { file_path: 'c', fixed_code: '', start_line: 2, end_line: 2 })
    expect(['a', 'b', 'c'].map(name => read(root, name).toString())).toEqual(['one\nthree\n', '\ntwo\n', 'one\n'])
  })

  it('compares the expected code without minding white space, and refuses what is other code', async () => {
    const root = repository({ a: 'one\r\n\tif (x)  {\r\n    y()\r\n}\r\n' })
    const expected = { file_path: 'a', start_line: 2, end_line: 4 }
    const error = await refusal(() => run(root, { ...expected, original_code: 'if (x) { z() }' }))
    expect([error.code, error.row.status]).toEqual(['CONFLICT', 409])
    expect(error.message).toBe('Lines 2 to 4 are not the code that was expected: the file has changed.')
    expect(read(root, 'a').toString()).toContain('y()')
    await run(root, { ...expected, original_code: 'if (x) {\n  y()\n}\n', fixed_code: 'if (x) z()' })
    expect(read(root, 'a').toString()).toBe('one\r\nif (x) z()\r\n')
  })

  it('says so where the file already has the code, and does not touch it', async () => {
    const root = repository({ a: 'one\ntwo\n' })
    const stats = () => {
      const { ino, mtimeNs, ctimeNs } = statSync(join(root, 'a'), { bigint: true })
      return { ino, mtimeNs, ctimeNs }
    }
    const before = stats()
    expect(await run(root, { file_path: 'a', fixed_code: 'one' })).toMatchObject({ applied: false })
    expect(stats()).toEqual(before)
  })

  test.each([
    ['a line behind the last', { start_line: 1, end_line: 3 }, 'end_line is 3, but the file has 2 lines.'],
    [
      'lines the wrong way round',
      { start_line: 2, end_line: 1 },
      'start_line must not lie behind end_line, but 2 > 1.',
    ],
  ])('refuses %s', async (_, lines, message) => {
    const root = repository({ a: 'one\ntwo' })
    const error = await refusal(() => run(root, { file_path: 'a', ...lines }))
    expect([error.code, error.message]).toEqual(['INPUT_INVALID', message])
  })

  it('keeps encoding, mark, line ends, mode and every other byte, whatever lines are replaced', () => {
    const encodings = {
      plain: (text: string) => Buffer.from(text),
      marked: (text: string) => Buffer.from(`\uFEFF${text}`),
      wide: (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
      single: (text: string) => Buffer.from(text, 'latin1'),
    }
    const line = fc.stringMatching(/^[a-zé ]{0,6}$/)
    const root = folder()
    const names = fc.constantFrom(...(Object.keys(encodings) as (keyof typeof encodings)[]))
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 6 }),
        fc.array(fc.stringMatching(/^[a-z ]{1,5}$/), { minLength: 1, maxLength: 3 }),
        fc.nat(5),
        fc.nat(5),
        names,
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (lines, fixed, a, b, name, end, closed) => {
          const [first, last] = [a % lines.length, b % lines.length].sort((x, y) => x - y) as [number, number]
          // An empty last line without an end is no line, and a text without any has no kind of line end.
          if (!closed && (lines.at(-1) === '' || lines.length === 1)) return
          const joined = (of: string[]) => encodings[name](of.join(end) + (closed ? end : ''))
          writeFileSync(join(root, 'a'), joined(lines))
          chmodSync(join(root, 'a'), 0o751)
          apply.run(
            { file_path: 'a', fixed_code: fixed.join('\n'), start_line: first + 1, end_line: last + 1 },
            context(root),
          )
          expect(read(root, 'a')).toEqual(joined([...lines.slice(0, first), ...fixed, ...lines.slice(last + 1)]))
          expect(statSync(join(root, 'a')).mode & 0o7777).toBe(0o751)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('refuses a character that the encoding of the file does not have, and a NUL in any', async () => {
    const root = repository()
    writeFileSync(join(root, 'a'), Buffer.from('caf\xe9\n', 'latin1'))
    writeFileSync(join(root, 'b'), 'text\n')
    for (const [file_path, fixed_code] of [
      ['a', '日本'],
      ['b', 'a\0b'],
      ['b', 'half \ud83d'],
    ]) {
      const error = await refusal(() => run(root, { file_path: file_path!, fixed_code: fixed_code! }))
      expect(error.code).toBe('INPUT_INVALID')
    }
    expect(read(root, 'a')).toEqual(Buffer.from('caf\xe9\n', 'latin1'))
  })
})

describe('what apply-fix may not reach', () => {
  /** A project beside a file and a folder that are not its own. */
  function neighbours(): { top: string; root: string } {
    const top = folder({
      'outside.txt': 'secret\n',
      'beside/b.txt': 'secret\n',
      'project/a.txt': 'one\n',
      'project/.git/HEAD': 'ref\n',
    })
    mkdirSync(join(top, 'project/.svc'))
    writeFileSync(join(top, 'project/.svc/config.yaml'), 'gate: {}\n')
    return { top, root: join(top, 'project') }
  }
  const outside = ({ top }: { top: string }) => [
    read(top, 'outside.txt').toString(),
    read(top, 'beside/b.txt').toString(),
  ]

  it.each([
    '../outside.txt',
    'x/../../outside.txt',
    './../outside.txt',
    '..',
    '../project/../outside.txt',
    'a.txt/../../outside.txt',
    '/etc/hostname',
    '//etc/hostname',
    'a.txt\0',
    '\0',
    '../outside.txt\0.txt',
  ])('refuses %j, which leads outside', async path => {
    const ground = neighbours()
    const error = await refusal(() => run(ground.root, { file_path: path }))
    expect([error.code, error.row.status]).toEqual(['PATH_ESCAPES', 400])
    expect(outside(ground)).toEqual(['secret\n', 'secret\n'])
  })

  it.each([
    ['.git/HEAD', 'FORBIDDEN'],
    ['.git/hooks/pre-commit', 'FORBIDDEN'],
    ['.svc/config.yaml', 'FORBIDDEN'],
    ['x/../.svc/config.yaml', 'FORBIDDEN'],
    ['.GIT/HEAD', 'FORBIDDEN'],
    ['.Git /config', 'FORBIDDEN'],
    ['.git./config', 'FORBIDDEN'],
    ['git~1/config', 'FORBIDDEN'],
    ['deps/lib/.git', 'FORBIDDEN'],
    ['absent.txt', 'NOT_FOUND'],
    ['a.txt/b', 'NOT_FOUND'],
    ['', 'INPUT_INVALID'],
    ['.', 'INPUT_INVALID'],
    ['folder/', 'INPUT_INVALID'],
    ['folder', 'INPUT_INVALID'],
    ['pipe', 'INPUT_INVALID'],
    ['binary', 'INPUT_INVALID'],
    ['loop', 'INPUT_INVALID'],
  ])('refuses %j as %s', async (path, code) => {
    const { root } = neighbours()
    mkdirSync(join(root, 'folder'))
    writeFileSync(join(root, 'binary'), Buffer.from([1, 0, 2, 0, 0, 0, 3]))
    execFileSync('mkfifo', [join(root, 'pipe')])
    symlinkSync('loop', join(root, 'loop'))
    expect((await refusal(() => run(root, { file_path: path }))).code).toBe(code)
  })

  it('refuses links that lead outside, or into what is protected, and follows those that stay', async () => {
    const ground = neighbours()
    const { root } = ground
    const links = {
      'out.txt': ['../outside.txt', 'PATH_ESCAPES'],
      'out-absolute': [join(ground.top, 'outside.txt'), 'PATH_ESCAPES'],
      up: ['..', 'PATH_ESCAPES'],
      beside: ['../beside', 'PATH_ESCAPES'],
      twice: ['beside', 'PATH_ESCAPES'],
      sneaky: ['.git', 'FORBIDDEN'],
      rules: ['.svc/config.yaml', 'FORBIDDEN'],
      gone: ['nowhere', 'NOT_FOUND'],
    } as const
    for (const [name, [target]] of Object.entries(links)) symlinkSync(target, join(root, name))
    const paths = { up: 'up/outside.txt', beside: 'beside/b.txt', twice: 'twice/b.txt', sneaky: 'sneaky/HEAD' }
    for (const [name, [, code]] of Object.entries(links)) {
      const path = name in paths ? paths[name as keyof typeof paths] : name
      expect((await refusal(() => run(root, { file_path: path }))).code, path).toBe(code)
    }
    expect(outside(ground)).toEqual(['secret\n', 'secret\n'])
    symlinkSync('a.txt', join(root, 'near'))
    await run(root, { file_path: 'near' })
    expect(read(root, 'a.txt').toString()).toBe('fixed\n')
    expect(readFileSync(join(root, 'near')).toString()).toBe('fixed\n')
  })

  it('never lets any path reach a file outside, or what is protected', () => {
    const ground = neighbours()
    mkdirSync(join(ground.root, 'sub'))
    symlinkSync('..', join(ground.root, 'sub/up'))
    symlinkSync('../..', join(ground.root, 'sub/far'))
    symlinkSync('../.git', join(ground.root, 'sub/git'))
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'sub',
      'up',
      'far',
      'git',
      '.git',
      '.svc',
      'HEAD',
      'config.yaml',
      'outside.txt',
      'beside',
      'b.txt',
      'project',
      'a.txt',
      '\0',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), parts => {
        writeFileSync(join(ground.root, 'a.txt'), 'one\n')
        try {
          apply.run(
            { file_path: parts.join('/'), fixed_code: 'fixed', start_line: 1, end_line: 1 },
            context(ground.root),
          )
          expect(read(ground.root, 'a.txt').toString()).toBe('fixed\n')
        } catch (error) {
          expect((error as { code: string }).code).toMatch(/^(PATH_ESCAPES|FORBIDDEN|NOT_FOUND|INPUT_INVALID)$/)
        }
        expect(outside(ground)).toEqual(['secret\n', 'secret\n'])
        expect(read(ground.root, '.git/HEAD').toString()).toBe('ref\n')
        expect(read(ground.root, '.svc/config.yaml').toString()).toBe('gate: {}\n')
      }),
      { numRuns: 800 },
    )
  })

  it('writes where it read, though the folder is swapped for a link to another place in between', () => {
    const ground = neighbours()
    mkdirSync(join(ground.root, 'sub'))
    writeFileSync(join(ground.root, 'sub/b.txt'), 'mine\n')
    const file = new ProjectFile(ground.root, 'sub/b.txt', { links: true })
    renameSync(join(ground.root, 'sub'), join(ground.root, 'moved'))
    symlinkSync('../beside', join(ground.root, 'sub'))
    file.replace(Buffer.from('fixed\n'))
    file.close()
    expect(outside(ground)).toEqual(['secret\n', 'secret\n'])
    expect(read(ground.root, 'moved/b.txt').toString()).toBe('fixed\n')
  })

  it('changes nothing where the file itself was replaced or written in between', () => {
    const { root } = neighbours()
    for (const meddle of [
      () => writeFileSync(join(root, 'a.txt'), 'two\n'),
      () => unlinkSync(join(root, 'a.txt')),
      () => symlinkSync('../outside.txt', join(root, 'a.txt')),
    ]) {
      if (!existsSync(join(root, 'a.txt'))) writeFileSync(join(root, 'a.txt'), 'one\n')
      const file = new ProjectFile(root, 'a.txt', { links: true })
      if (meddle.toString().includes('symlinkSync')) unlinkSync(join(root, 'a.txt'))
      meddle()
      expect(() => file.replace(Buffer.from('fixed\n'))).toThrow('was changed by somebody else meanwhile')
      file.close()
      expect(readdirSync(root).filter(name => name.endsWith('.tmp'))).toEqual([])
      rmSync(join(root, 'a.txt'), { force: true })
    }
  })

  it('holds while another thread swaps a folder for a link as fast as it can', async () => {
    const ground = neighbours()
    mkdirSync(join(ground.root, 'sub'))
    writeFileSync(join(ground.root, 'sub/b.txt'), 'mine\n')
    symlinkSync('../beside', join(ground.root, 'link'))
    const swapper = new Worker(
      `const { renameSync } = require('node:fs'); const { workerData: root, parentPort } = require('node:worker_threads');
       let stop = false; parentPort.on('message', () => { stop = true });
       const turn = () => { for (let i = 0; i < 50; i++) { renameSync(root + '/sub', root + '/was'); renameSync(root + '/link', root + '/sub'); renameSync(root + '/sub', root + '/link'); renameSync(root + '/was', root + '/sub') } if (stop) parentPort.close(); else setImmediate(turn) }; turn()`,
      { eval: true, workerData: ground.root },
    )
    const seen = new Set<string>()
    for (let n = 0; n < 2000; n++) {
      try {
        await run(ground.root, { file_path: 'sub/b.txt', fixed_code: `n${n}` })
        seen.add('applied')
      } catch (error) {
        seen.add((error as { code: string }).code)
      }
      if (n % 50 === 0) await new Promise(resolve => setImmediate(resolve))
    }
    swapper.postMessage('stop')
    await new Promise(resolve => swapper.on('exit', resolve))
    expect(outside(ground)).toEqual(['secret\n', 'secret\n'])
    expect(seen).toContain('applied')
    expect([...seen].filter(code => !/^(applied|PATH_ESCAPES|NOT_FOUND|CONFLICT|INPUT_INVALID)$/.test(code))).toEqual(
      [],
    )
  })
})
