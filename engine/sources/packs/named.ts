import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import type { Pack } from './pack.ts'
import { packFrom, ruleFrom } from './parse.ts'
import { packOf } from './state.ts'
import { among } from './taken-sinks.ts'

/**
 * The pack that a word names: a file or folder that holds it, `-` for standard input, or a pack id. It is only
 * read, so an id that is taken and examples that no longer hold are no fault in it.
 */
export async function namedPack(named: string, packs: readonly Pack[], context: Context): Promise<Pack> {
  if (named !== '-' && !existsSync(resolve(context.cwd, named))) {
    if (packs.some(({ id }) => id === named)) return packOf(packs, named)
    throw new EngineError('NOT_FOUND', `There is no file, folder or pack ${named}.`, {
      hint: 'Give an id that `svc list-packs` shows, or a file that `svc export-pack` has written.',
    })
  }
  const { readSource } = await import('./import/source.ts')
  const { ownDraft } = await import('./import/own.ts')
  const { head, file, place, rules } = ownDraft(await readSource(named, context), undefined)
  const pack = packFrom(head, file, place)
  const others = among(rules)
  return { ...pack, rules: rules.map(rule => ruleFrom(rule.data, rule.file, pack.id, rule.place, others)) }
}
