import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from '@ast-grep/napi'
import { describe, expect, test } from 'vitest'
import { COPIED, findParserPath, getGrammarName, registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { PLATFORMS } from '../../../scripts/pack/platforms.mjs'
import { ROOT } from '../../root.ts'

registerGrammars()

describe('a grammar that is copied from its package', () => {
  test.each(Object.entries(COPIED))('has a parser in dist for every platform of a release: %s', language => {
    const built = readdirSync(join(ROOT, 'dist/grammars', language)).map(name => name.replace('.node', ''))
    expect(built).toEqual(expect.arrayContaining(Object.keys(PLATFORMS)))
  })

  test.each(Object.keys(COPIED))('is found where the sources run: %s', language => {
    expect(existsSync(findParserPath(language)!)).toBe(true)
  })

  test('parses Solidity, with metavariables in patterns', () => {
    const root = parse(getGrammarName('solidity'), 'contract A { function f() public { selfdestruct(owner); } }').root()
    expect(
      root
        .find({
          rule: {
            pattern: { context: 'contract A { function f() { selfdestruct($TO); } }', selector: 'call_expression' },
          },
        })
        ?.getMatch('TO')
        ?.text(),
    ).toBe('owner')
  })
})
