import type { Check } from './check.ts'
import { fail, passCheck } from './check.ts'
import { SAMPLES } from './samples.ts'

/** Loads every grammar and lets it parse a sample; the languages that cannot are named, since their rules are not evaluated. */
export async function checkGrammars(): Promise<Check> {
  const { parse } = await import('@ast-grep/napi')
  const { AST_LANGUAGES, getGrammarName, registerGrammars } = await import('../detect/syntax/grammar.ts')
  const ready = registerGrammars()
  const broken = AST_LANGUAGES.filter(language => {
    if (!ready.has(language)) return true
    try {
      return (
        parse(getGrammarName(language), SAMPLES[language] ?? '')
          .root()
          .find({ rule: { kind: 'ERROR' } }) !== null
      )
    } catch {
      return true
    }
  })
  if (broken.length === 0) return passCheck('grammars', `all ${AST_LANGUAGES.length} load and parse`)
  return fail(
    'grammars',
    `${broken.join(', ')} of ${AST_LANGUAGES.length} cannot parse, so their rules are not evaluated`,
    'Run `npm install` again; a grammar needs the prebuilt package of this platform.',
  )
}
