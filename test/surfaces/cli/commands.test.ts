import { describe, expect, it } from 'vitest'
import { listCommands, match } from '../../../cli/commands.ts'
import type { EngineError } from '../../../engine/base/errors.ts'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'

const commands = listCommands(OPERATIONS)

/** What the words come to: a command, a prefix, or the message and the next step of a refusal. */
function understand(line: string): string {
  try {
    const matched = match(commands, line.split(' '))
    return 'prefix' in matched ? `${matched.prefix} …` : `${matched.command.name} + ${matched.rest.join(' ')}`
  } catch (error) {
    const { message, hint } = error as EngineError
    return `${message} ${hint}`
  }
}

describe('words of a command line', () => {
  it.each([
    ['attest', 'attest + '],
    ['attest -o a.json', 'attest + -o a.json'],
    ['attest key create', 'attest key create + '],
    ['attest key', 'attest key …'],
    ['attest key --json', 'attest key …'],
    ['notary', 'notary …'],
    ['auditor --help', 'auditor …'],
    ['attest --format key', 'attest + --format key'],
  ])('`svc %s` is understood as %s', (line, meaning) => {
    expect(understand(line)).toBe(meaning)
  })

  it('of a group list its commands where the last one is none of them', () => {
    expect(understand('attest key shred')).toBe(
      'There is no command attest key shred. One of: attest key create, attest key public, attest key rotate.',
    )
    expect(understand('attest key rotat')).toContain('did you mean attest key rotate?')
  })
})
