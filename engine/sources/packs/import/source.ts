import { isUtf8 } from 'node:buffer'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Context } from '../../../base/context.ts'
import { readNamedSettings } from '../../../base/disk/settings-file.ts'
import { EngineError } from '../../../base/errors.ts'
import { parseYaml } from '../../config/parse.ts'
import { type PlaceOf, refusePack } from '../parse.ts'
import { MAX_PACK_BYTES } from './draft.ts'

/** A YAML document of the source, with the file it is in. */
export interface SourceDocument {
  file: string
  data: unknown
  place: PlaceOf
}

/** What is to be imported: its documents, and the word that its name suggests. */
export interface Source {
  name: string
  documents: SourceDocument[]
}

/** More files in a folder are no pack. */
const MAX_FILES = 2000

/**
 * Reads a file, a folder (all YAML files in it, however deep) or, for `-`, standard input. NOT_FOUND where there is
 * nothing, PACK_INVALID with the place where YAML cannot be read or its aliases expand without measure.
 */
export async function readSource(named: string, { cwd, readStdin }: Context): Promise<Source> {
  if (named === '-') {
    if (!readStdin) throw new EngineError('INPUT_INVALID', 'Standard input is not available.')
    return parseSource(await readStdin(), 'standard input')
  }
  const path = resolve(cwd, named)
  if (!existsSync(path)) {
    throw new EngineError('NOT_FOUND', `No file or directory ${named}.`, {
      hint: 'Pass a pack file, a directory, or - for standard input.',
    })
  }
  const name = basename(path).replace(/\.ya?ml$/i, '')
  if (!statSync(path).isDirectory()) return { name, documents: documentsOf(bytesOf(path, named), named) }
  const documents: SourceDocument[] = []
  for (const inner of yamlFiles(path))
    documents.push(...documentsOf(bytesOf(join(path, inner), join(named, inner)), join(named, inner)))
  if (documents.length === 0) throw new EngineError('NOT_FOUND', `No YAML file in ${named}.`)
  return { name, documents }
}

function bytesOf(path: string, named: string): Buffer {
  return readNamedSettings(path, named, { most: MAX_PACK_BYTES, code: 'PACK_INVALID' }) ?? Buffer.alloc(0)
}

/** The same of a text that was sent. */
export function parseSource(text: string, file: string): Source {
  return { name: '', documents: documentsOf(new TextEncoder().encode(text), file) }
}

/** Every YAML document of a file; lines count from the file's first. */
function documentsOf(bytes: Uint8Array, file: string): SourceDocument[] {
  const read = (part: Uint8Array) => {
    const { value, faults, placeOf } = parseYaml(part, file, MAX_PACK_BYTES)
    if (faults.length > 0) throw refusePack(file, faults)
    return { file, data: value, place: placeOf }
  }
  if (bytes.length > MAX_PACK_BYTES || !isUtf8(bytes)) return [read(bytes)]
  const parts = new TextDecoder().decode(bytes).split(/^---[ \t]*\r?\n/m)
  if (parts.length < 2) return [read(bytes)]
  const documents: SourceDocument[] = []
  let above = 0
  for (const part of parts) {
    const document = part.trim() === '' ? undefined : read(new TextEncoder().encode('\n'.repeat(above) + part))
    if (document && document.data !== null) documents.push(document)
    above += part.split('\n').length
  }
  return documents
}

function yamlFiles(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.ya?ml$/i.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
  if (found.length > MAX_FILES)
    throw new EngineError(
      'PACK_INVALID',
      `The directory contains ${found.length} YAML files, but the limit is ${MAX_FILES}.`,
    )
  return found
}
