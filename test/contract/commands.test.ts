import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CONTRACTS } from '../../scripts/contract.ts'

describe('the command line', () => {
  it('offers the commands, options and values that the snapshot records; npm run generate records a change for review', () => {
    expect(CONTRACTS.commands()).toBe(readFileSync(new URL('./commands.snap.json', import.meta.url), 'utf8'))
  })

  it('gives no letter of a command to two options', () => {
    for (const { command, options } of JSON.parse(CONTRACTS.commands()) as Recorded[]) {
      const letters = options.flatMap(({ short }) => short ?? [])
      expect(new Set(letters).size, command).toBe(letters.length)
      expect(letters, command).not.toContain('h')
    }
  })
})

interface Recorded {
  command: string
  options: { option: string; short?: string }[]
}
