import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import type { Pack } from './pack.ts'
import { readPack, readRule } from './parse.ts'
import { findPack } from './state.ts'
import { findRuleNamed } from './taken-sinks.ts'

/**
 * The pack that a word names: a file or folder that holds it, `-` for standard input, or a pack id. It is only
 * read, so an id that is taken and examples that no longer hold are no fault in it.
 */
export async function findNamedPack(named: string, packs: readonly Pack[], context: Context): Promise<Pack> {
  if (named !== '-' && !existsSync(resolve(context.cwd, named))) {
    if (packs.some(({ id }) => id === named)) return findPack(packs, named)
    throw new EngineError('NOT_FOUND', `No file, directory or pack ${named}.`, {
      hint: 'Pass an id from `svc list-packs`, or a file written by `svc export-pack`.',
    })
  }
  const { readSource } = await import('./import/source.ts')
  const { makeOwnDraft } = await import('./import/own.ts')
  const { head, file, place, rules } = makeOwnDraft(await readSource(named, context), undefined)
  const pack = readPack(head, file, place)
  const others = findRuleNamed(rules)
  return { ...pack, rules: rules.map(rule => readRule(rule.data, rule.file, pack.id, rule.place, others)) }
}
