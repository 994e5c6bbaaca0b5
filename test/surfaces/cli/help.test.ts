import { describe, expect, it } from 'vitest'
import { listCommands } from '../../../cli/commands.ts'
import { formatHelp } from '../../../cli/help.ts'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { svc } from './harness.ts'

describe('help', () => {
  it.each(['', '--help', '-h', 'help'])(
    'of the program is what `svc %s` prints: every command in its group, with a summary',
    async line => {
      const { code, out, err } = await svc(line)
      expect(code).toBe(0)
      expect(err).toBe('')
      expect(out).toMatch(/^Demo:\n {2}echo \[name\] +Answer what was understood\.$/m)
      expect(out).toMatch(/^Gates:\n {2}gate check +Answer with an exit code/m)
      expect(out).toMatch(/^Exit codes:$/m)
      expect(out).toMatch(/^Environment:$/m)
    },
  )

  it.each(['echo --help', 'echo -h', 'help echo', 'echo --nope -h', '-h echo'])(
    'of a command is what `svc %s` prints: usage, parameters, options and examples',
    async line => {
      const { code, out } = await svc(line)
      expect(code).toBe(0)
      expect(out).toContain('Usage: svc echo [name] [options]')
      expect(out).toMatch(/^ {2}name +a name \(default: you\)$/m)
      expect(out).toMatch(/^ {2}-n, --count <n> +a count from 1 to 9 \(default: 1\)$/m)
      expect(out).toMatch(/^ {6}--colour <\S+> +red, green or blue \(default: red\)$/m)
      expect(out).toMatch(/^ {6}--cache, --no-cache +whether the cache is used \(default: on\)$/m)
      expect(out).toMatch(/^ {2}-f, --files <path> +paths \(may be repeated\)$/m)
      expect(out).toContain('svc echo world -n 2    greet the world twice')
      expect(out).not.toMatch(/--\S*overrides/)
    },
  )

  it.each(['gate --help', 'help gate'])('of a first word is what `svc %s` prints: its sub-commands', async line => {
    const { code, out } = await svc(line)
    expect(code).toBe(0)
    expect(out).toContain('gate check')
    expect(out).toContain('gate remove <paths>')
  })

  it('shows no default where that is empty', () => {
    const view = { paint: (_: string, text: string) => text, width: 80 }
    const help = formatHelp(['exclude'], listCommands(OPERATIONS), loadSchemas, view)
    expect(help).toContain('one or more files, directories or globs')
    expect(help).not.toMatch(/\(default: *\)/)
  })

  it('of an unknown command is refused with a suggestion', async () => {
    const { code, err } = await svc('help ecko')
    expect(code).toBe(64)
    expect(err).toContain('did you mean echo?')
  })

  it.each([40, 80, 120])('fits a terminal of %i columns, but for words that are longer', async columns => {
    const { out } = await svc('--help', { tty: true, columns, env: { NO_COLOR: '1' } })
    const tooLong = out.split('\n').filter(line => line.length > columns && line.trim().split(/ {2,}/).length > 1)
    expect(columns < 60 ? [] : tooLong).toEqual([])
  })

  it('is coloured on a terminal only', async () => {
    expect((await svc('--help', { tty: true })).out).toContain('\x1b[1m')
    expect((await svc('--help')).out).not.toContain('\x1b')
  })
})
