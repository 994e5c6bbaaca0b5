import { describe, expect, it } from 'vitest'
import { svc } from './harness.ts'

describe('a command line', () => {
  it('prints the answer for a person on stdout and nothing on stderr', async () => {
    const { code, out, err } = await svc('gate remove a b')
    expect({ code, out, err }).toEqual({ code: 0, out: 'a\nb\n', err: '' })
  })

  it('prints the output object with --json, two spaces deep, with a line end', async () => {
    const { out } = await svc('gate remove a --json')
    expect(out).toBe('{\n  "paths": [\n    "a"\n  ]\n}\n')
  })

  it('takes the exit code from the operation', async () => {
    expect((await svc('gate check')).code).toBe(1)
  })

  it('matches the longest command name: two words before one', async () => {
    expect((await svc('gate check')).out).toBe('held\n')
  })

  it('accepts the common options before the command too', async () => {
    expect(JSON.parse((await svc('--json gate check')).out)).toEqual({ passed: false })
  })

  it('reads standard input for an operation that asks for it', async () => {
    expect((await svc('read -', { stdin: 'héllo' })).out).toBe('héllo\n')
  })

  it('prints notices on stderr, and none with -q', async () => {
    expect((await svc('work --ms 1')).err).toBe('Work has begun.\n')
    expect((await svc('work --ms 1 -q')).err).toBe('')
  })

  it.each([
    ['ecko', 'There is no command ecko; did you mean echo?'],
    ['gate chekc', 'There is no command gate chekc; did you mean gate check?'],
    ['gaet', 'There is no command gaet'],
    ['gate', 'svc gate needs one more word: gate check, gate remove.'],
    ['--colour red echo', 'There is no option --colour before a command.'],
  ])('refuses `svc %s` with exit 64', async (line, message) => {
    const { code, out, err } = await svc(line)
    expect(code).toBe(64)
    expect(out).toBe('')
    expect(err).toContain(message)
  })

  it('makes control characters visible on a terminal, so that scanned text cannot drive it', async () => {
    const { out } = await svc(['gate', 'remove', 'a\x1b]0;owned\x07b'], { tty: true })
    expect(out).toBe('a\\x1b]0;owned\\x07b\n')
  })

  it.each([
    ['GITHUB_ACTIONS', 'true', '::set-output name=x::y', ':\u200B:set-output name=x::y'],
    ['GITHUB_ACTIONS', 'true', ' \t::stop-commands::x', ' \t:\u200B:stop-commands::x'],
    ['GITHUB_ACTIONS', 'true', 'a\n::debug::x', 'a\n:\u200B:debug::x'],
    ['GITHUB_ACTIONS', 'true', 'a\r::debug::x', 'a\r:\u200B:debug::x'],
    ['TF_BUILD', 'True', 'a ##vso[task.setvariable]b', 'a ##\u200Bvso[task.setvariable]b'],
    ['TF_BUILD', 'True', 'a ##[error]b', 'a ##\u200B[error]b'],
    ['GITHUB_ACTIONS', 'true', 'src/A::b and ## [x]', 'src/A::b and ## [x]'],
    ['CI', 'true', '::set-output name=x::y', '::set-output name=x::y'],
  ])('gives the log of a build no commands that scanned text brings (%s=%s, %j)', async (name, value, text, shown) => {
    const env = { [name]: value }
    expect((await svc(['gate', 'remove', text], { env })).out).toBe(`${shown}\n`)
    expect((await svc(['echo', '--json', text], { env })).out).toContain(JSON.stringify(text))
  })

  it('gives the log of a build no commands by its errors and notices', async () => {
    const { err } = await svc(['##[group]'], { env: { TF_BUILD: 'True' } })
    expect(err).toContain('##\u200B[group]')
    expect(err).not.toContain('##[')
  })

  it('writes bytes as they are where there is no terminal', async () => {
    expect((await svc(['gate', 'remove', 'a\x1bb'])).out).toBe('a\x1bb\n')
  })
})

describe('a failure', () => {
  it('is one line, the next step, and the exit code of the table', async () => {
    const { code, out, err } = await svc('fail known')
    expect(code).toBe(66)
    expect(out).toBe('')
    expect(err.split('\n')).toEqual(['svc: There is no run 7.', expect.stringContaining('svc scan'), ''])
  })

  it('lists each fault with file, line and column', async () => {
    const { code, err } = await svc('fail faults')
    expect(code).toBe(64)
    expect(err).toContain('  .svc/config.yaml:3:5: gate.fail_onn is not a known key')
    expect(err).toContain('  .svc/config.yaml:9: max is missing.')
  })

  it('is the one document on stdout with --json, told by its sole key', async () => {
    const { code, out, err } = await svc('fail faults --json')
    expect(code).toBe(64)
    expect(JSON.parse(out)).toMatchObject({
      error: { code: 'CONFIG_INVALID', faults: [{ place: { line: 3, column: 5 } }, { place: { line: 9 } }] },
    })
    expect(err).toContain('2 problems')
  })

  it('of the words is JSON too where --json is among them', async () => {
    for (const line of ['echo --nope --json', 'nope --json', '--json nope', 'echo --nope -j', 'nope -j', '-j nope']) {
      expect(JSON.parse((await svc(line)).out).error.code).toBe('USAGE')
    }
  })

  it('of -j with a number names --jobs', async () => {
    for (const line of ['echo -j 4', 'echo -j4', 'echo -j=4']) {
      const { code, err } = await svc(line)
      expect(code).toBe(64)
      expect(err).toContain('-j is --json and takes no number')
      expect(err).toContain('--jobs 4')
    }
  })

  it('of -v without a command names --version', async () => {
    const { code, err } = await svc('-v')
    expect(code).toBe(64)
    expect(err).toContain('svc --version')
  })

  it('that nobody foresaw ends with 70, and shows its stack with -v only', async () => {
    const plain = await svc('fail unknown')
    expect(plain.code).toBe(70)
    expect(plain.err).toContain('TypeError: x is not a function')
    expect(plain.err).not.toContain('    at ')
    expect((await svc('fail unknown -v')).err).toContain('    at ')
  })

  it('of the disk says that nothing half-written is left', async () => {
    const { code, err } = await svc('fail full')
    expect(code).toBe(74)
    expect(err).toContain('ENOSPC')
  })

  it('by interruption ends with 130', async () => {
    const { code, out } = await svc('work', { signal: AbortSignal.timeout(60) })
    expect(code).toBe(130)
    expect(out).toBe('')
  })
})

describe('colour', () => {
  const coloured = /\x1b\[/
  it.each([
    ['a terminal', { tty: true }, 'echo', true],
    ['a pipe', {}, 'echo', false],
    ['a terminal with NO_COLOR', { tty: true, env: { NO_COLOR: '1' } }, 'echo', false],
    ['a terminal with an empty NO_COLOR', { tty: true, env: { NO_COLOR: '' } }, 'echo', true],
    ['a terminal with --no-color', { tty: true }, 'echo --no-color', false],
    ['a dumb terminal', { tty: true, env: { TERM: 'dumb' } }, 'echo', false],
    ['a pipe with FORCE_COLOR', { env: { FORCE_COLOR: '1' } }, 'echo', true],
    ['a terminal with FORCE_COLOR=0', { tty: true, env: { FORCE_COLOR: '0' } }, 'echo', false],
    ['NO_COLOR against FORCE_COLOR', { env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, 'echo', false],
    ['the JSON document', { tty: true }, 'echo --json', false],
  ])('for %s', async (_, situation, line, expected) => {
    expect(coloured.test((await svc(line, situation)).out)).toBe(expected)
  })
})
