import { describe, expect, it } from 'vitest'
import { listCommands } from '../../../cli/commands.ts'
import { listOptions } from '../../../cli/options.ts'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import fc from '../../made/property.ts'
import { svc } from './harness.ts'

/** The input that the fixture operation received. */
async function understood(line: string | string[]): Promise<Record<string, unknown>> {
  const { out, err, code } = await svc(['--json', ...(typeof line === 'string' ? line.split(' ') : line)])
  expect(err).toBe('')
  expect(code).toBe(0)
  return JSON.parse(out).input
}

const DEFAULTS = { name: 'you', count: 1, cache: true, staged: false, colour: 'red', files: [] }

describe('options of a command', () => {
  it('come from the input schema, with its defaults', async () => {
    expect(await understood('echo')).toEqual(DEFAULTS)
  })

  it.each([
    ['echo --git-range main..HEAD', { git_range: 'main..HEAD' }],
    ['echo --git-range=main..HEAD', { git_range: 'main..HEAD' }],
    ['echo -g main..HEAD', { git_range: 'main..HEAD' }],
    ['echo -gmain..HEAD', { git_range: 'main..HEAD' }],
    ['echo --git-range=a=b', { git_range: 'a=b' }],
    ['echo --staged', { staged: true }],
    ['echo --staged=false', { staged: false }],
    ['echo --no-cache', { cache: false }],
    ['echo --no-cache --cache', { cache: true }],
    ['echo -n 3', { count: 3 }],
    ['echo --colour blue', { colour: 'blue' }],
    ['echo -f a -f b --files=c', { files: ['a', 'b', 'c'] }],
    ['echo --count 2 --count 4', { count: 4 }],
    ['echo world --staged', { name: 'world', staged: true }],
    ['echo --staged world', { name: 'world', staged: true }],
    ['echo -- --staged', { name: '--staged' }],
    ['echo -', { name: '-' }],
    ['-q echo', {}],
  ])('are understood in `svc %s`', async (line, input) => {
    expect(await understood(line)).toEqual({ ...DEFAULTS, ...input })
  })

  it('keep text that looks like a number as it was typed', async () => {
    expect(await understood('echo 007 --git-range 1e5')).toMatchObject({ name: '007', git_range: '1e5' })
  })

  it('carry any text unchanged after an equals sign or after --', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string({ minLength: 1 }), async (range, name) => {
        const input = await understood(['echo', `--git-range=${range}`, '--', name])
        expect(input).toMatchObject({ git_range: range, name })
      }),
    )
  })

  it('have -c for a configuration in every command that takes one', () => {
    const options = listCommands(OPERATIONS).flatMap(command => listOptions(command, loadSchemas))
    const configs = options.filter(({ flag }) => flag === 'config')
    expect(configs.length).toBeGreaterThan(30)
    expect(configs.filter(({ short }) => short !== 'c')).toEqual([])
  })

  it('give all further parameters to a last parameter that is a list', async () => {
    const { out } = await svc('gate remove a b --json c')
    expect(JSON.parse(out)).toEqual({ paths: ['a', 'b', 'c'] })
  })

  it.each([
    ['echo --gti-range x', 'There is no option --gti-range; did you mean --git-range?'],
    ['echo --no-staged', 'There is no option --no-staged'],
    ['echo -x', 'There is no option -x.'],
    ['echo --overrides x', 'There is no option --overrides'],
    ['echo --colour rde', '--colour must be one of blue, green, red, but was "rde"; did you mean red?'],
    ['echo --count many', '--count must be a count from 1 to 9, but was "many".'],
    ['echo --count 10', '--count must be a count from 1 to 9, but was 10.'],
    ['echo --count 1.5', '--count must be a count from 1 to 9, but was 1.5.'],
    ['echo --git-range', '--git-range needs a value.'],
    [
      'echo --git-range --staged',
      '--git-range needs a value, but --staged follows; write --git-range=--staged if that is the value.',
    ],
    ['echo --count -1', '--count must be a count from 1 to 9, but was -1.'],
    ['echo --staged=maybe', '--staged takes no value, but "maybe" was passed.'],
    ['echo a b', 'svc echo takes one parameter, but "b" was passed too.'],
    ['gate check x', 'svc gate check takes no parameter, but "x" was passed.'],
    ['lines', '<count> is missing: it must be a count of lines.'],
  ])('are refused with one line and exit 64 in `svc %s`', async (line, message) => {
    const { code, out, err } = await svc(line)
    expect(code).toBe(64)
    expect(out).toBe('')
    expect(err.split('\n')[0]).toContain(`svc: ${message}`)
    expect(err).toContain('--help')
  })

  it('name every fault of one command line', async () => {
    const { err } = await svc('echo --count 10 --colour rde')
    expect(err.match(/--count must be/g)).toHaveLength(1)
    expect(err.match(/--colour must be/g)).toHaveLength(1)
  })
})
