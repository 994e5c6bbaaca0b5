import { relative, resolve, sep } from 'node:path'
import type { Context } from '../../base/context.ts'
import { isInside } from '../../base/disk/project-write.ts'
import { readSource } from '../../base/disk/read.ts'
import { readNamedSettings, readSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import type { Listing, SourceFile } from '../../base/records/source-file.ts'
import { decode } from '../../base/text/decode.ts'
import type { Config } from '../../sources/config/load.ts'
import { collectRequirements, findRequirementFiles, isArchive, type ReadText } from './collect.ts'
import type { RequirementSet } from './model.ts'
import { MOST_REQUIREMENT_BYTES } from './yaml.ts'

/** Reads the requirements of a listing from the work tree; empty where it has none. */
export async function readRequirements(
  listing: Pick<Listing, 'root' | 'files'>,
  { requirements }: Pick<Config, 'requirements'>,
  signal?: AbortSignal,
): Promise<RequirementSet> {
  return collectRequirements(findRequirementFiles(listing, requirements.files), makeReadText(listing.root), signal)
}

/**
 * Reads the requirements of one file that a user named, relative to `cwd`; its format is that of its ending. NOT_FOUND where there is none,
 * INPUT_INVALID for another ending, PATH_ESCAPES where a request names a file outside of the repository.
 */
export async function readNamedRequirements(
  root: string,
  named: string,
  { cwd, surface }: Pick<Context, 'cwd' | 'surface'>,
): Promise<RequirementSet> {
  const absolute = resolve(cwd, named)
  const isOwn = isInside(root, absolute)
  if (!isOwn && surface !== 'cli') throw new EngineError('PATH_ESCAPES', `The path ${named} is outside the project.`)
  const path = isOwn ? relative(root, absolute).split(sep).join('/') : named
  const file: SourceFile = { path, size: 1, language: null, in_test: false }
  const [found] = findRequirementFiles({ files: [file] }, ['**'])
  if (!found)
    throw new EngineError('INPUT_INVALID', `${named} is no file of requirements by its name.`, {
      hint: 'Name a .yaml, .csv, .md, .sdoc, .reqif or .reqifz file.',
    })
  const limits = { most: MOST_REQUIREMENT_BYTES }
  const bytes = isOwn ? readSettings(root, path, limits) : readNamedSettings(absolute, named, limits)
  if (!bytes) throw new EngineError('NOT_FOUND', `There is no file ${named}.`)
  const decoded = isArchive(path) ? { text: bytes.toString('latin1') } : decode(bytes)
  const text = 'text' in decoded ? decoded : { reason: 'it is no text' }
  return collectRequirements([found], () => text)
}

/** Reads files of a work tree as text; links, and files that are no text, are refused with the reason. */
export function makeReadText(root: string, maxBytes = MOST_REQUIREMENT_BYTES): ReadText {
  return (file: SourceFile) => {
    if (file.blob !== undefined) return { reason: 'it is not in a working tree' }
    const bytes = readSource(root, file, maxBytes)
    if (!(bytes instanceof Uint8Array)) return { reason: bytes.detail ?? bytes.reason.replaceAll('_', ' ') }
    if (isArchive(file.path)) return { text: Buffer.from(bytes).toString('latin1') }
    const decoded = decode(bytes, file.encoding)
    return 'text' in decoded ? decoded : { reason: 'it is no text' }
  }
}
