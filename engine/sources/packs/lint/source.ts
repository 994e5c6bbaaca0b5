import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Context } from '../../../base/context.ts'
import { readNamedSettings } from '../../../base/disk/settings-file.ts'
import { MAX_PACK_BYTES } from '../import/draft.ts'
import { parseSource, readSource } from '../import/source.ts'
import { loadBuiltinPacks, loadExamples, loadPacks } from '../load.ts'
import type { Pack } from '../pack.ts'
import { formatPack } from '../pack-file.ts'
import { findPack } from '../state.ts'
import type { LintSource } from './lint.ts'

const LIMITS = { most: MAX_PACK_BYTES, code: 'PACK_INVALID' } as const

/**
 * What a word names: a pack file or folder, or the id of a pack. One of the repository's own is read where it stands; one
 * that comes with svc is read as `export-pack` writes it, and its lines are those of that text. NOT_FOUND where there is none.
 */
export async function lintSource(named: string, root: string, context: Context): Promise<LintSource> {
  const folder = join('.svc/packs', named)
  const file = existsSync(resolve(context.cwd, named))
    ? named
    : existsSync(join(root, folder))
      ? relative(context.cwd, join(root, folder))
      : undefined
  if (file === undefined) {
    const packs = await loadPacks(root)
    const pack = findPack(packs, named)
    // Detectors of secrets are not exported: they have files of another kind.
    const made = pack.rules.flatMap(rule => (rule.type === 'secret' ? { ...rule, ...loadExamples(rule) } : []))
    return { ...lintText(await formatPack(pack), `${named}.yaml`, packs), made }
  }
  const read = await readSource(file, context)
  // Libraries of a pack have a form of their own; `lintLibraries` is for them.
  const inPack = (path: string) => !/[\\/]libraries[\\/]/.test(path.slice(file.length))
  const source = { ...read, documents: read.documents.filter(document => inPack(document.file)) }
  const names = new Set(source.documents.map(document => document.file))
  const texts = new Map(
    [...names].map(name => [name, readNamedSettings(resolve(context.cwd, name), name, LIMITS)?.toString('utf8') ?? '']),
  )
  return { source, texts, packs: loadBuiltinPacks() }
}

/** The same of a text that was sent; `file` is what places call it. */
export function lintText(text: string, file: string, packs: readonly Pack[]): LintSource {
  return { source: parseSource(text, file), texts: new Map([[file, text]]), packs }
}
