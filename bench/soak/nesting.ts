import { scanned } from './fuzz.ts'
import type { Input } from './inputs.ts'
import type { Soaked } from './program.ts'
import { AST_LANGUAGES, indented, nameFor, nestings, ruleExamples } from './samples.ts'

/** Every way of nesting of every language that is parsed, so deep, each behind a text that has the file parsed. */
export async function nesting({ depths }: { depths: readonly number[] }): Promise<Soaked> {
  const soaked: Soaked = { tried: 0, faults: [], figures: {} }
  const examples = ruleExamples()
  for (const depth of depths) {
    for (const language of AST_LANGUAGES) {
      const own = examples.filter(example => example.language === language)
      const lead = own[depth % Math.max(own.length, 1)]?.text ?? ''
      const inputs = nestings(language).flatMap(([open, close], index): Input[] => {
        const nested = open.repeat(depth) + (own[index % Math.max(own.length, 1)]?.text ?? '1') + close.repeat(depth)
        return [
          input(language, `${open} closed`, `${lead}\n${nested}\n`),
          input(language, `${open} open`, `${lead}\n${open.repeat(depth)}`),
        ]
      })
      if (depth <= 5000)
        inputs.push(
          input(
            language,
            'indented',
            `${lead}\n${indented(language === 'yaml' ? 'a:' : 'if a:', Math.min(depth, 3000))}`,
          ),
        )
      soaked.tried += inputs.length
      const { faults, ms } = await scanned(inputs)
      if (faults.length === 0) continue
      let alone = 0
      for (const one of inputs) {
        const { faults: own } = await scanned([one])
        if (own.length > 0)
          soaked.faults.push(`${language}, ${JSON.stringify(one.kind)} ${depth} deep: ${own.join('; ')}`)
        alone += own.length
      }
      if (alone === 0) soaked.faults.push(`${language}, ${depth} deep, all together in ${ms} ms: ${faults.join('; ')}`)
    }
  }
  return soaked
}

function input(language: string, kind: string, text: string): Input {
  return { name: nameFor(language), kind, bytes: new TextEncoder().encode(text) }
}
