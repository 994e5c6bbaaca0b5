import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { ProjectFile } from '../../../engine/fixes/project-file.ts'
import apply from '../../../engine/ops/fixes/apply.ts'
import { context, refusal } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import fc from '../../made/property.ts'

type Input = Parameters<typeof apply.run>[0]

const run = (root: string, input: Partial<Input> & { file_path: string }) =>
  apply.run({ fixed_code: 'fixed', start_line: 1, end_line: 1, ...input }, context(root))
const read = (root: string, path: string) => readFileSync(join(root, path))

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
      expect(() => file.replace(Buffer.from('fixed\n'))).toThrow('was modified by another process meanwhile')
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

describe("svc's own results", () => {
  it.each([
    ['out/findings.json', 'out/run.json'],
    ['out/history/x/run.json', 'out/.svc'],
    ['build/svc/report.html', 'build/svc/.svc'],
  ])('are changed by no fix: %s', async (file_path, mark) => {
    const root = folder({ [file_path]: 'one\n', [mark]: '{}\n' })
    const error = await refusal(() => run(root, { file_path }))
    expect([error.code, read(root, file_path).toString()]).toEqual(['FORBIDDEN', 'one\n'])
    expect(error.message).toContain('where svc stores its results')
  })

  it('are none of the files in an out/ of the project', () => {
    const root = folder({ 'out/page.js': 'one\n' })
    run(root, { file_path: 'out/page.js' })
    expect(read(root, 'out/page.js').toString()).toBe('fixed\n')
  })
})
