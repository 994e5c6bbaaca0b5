import { dirname, extname, join, relative } from 'node:path'
import type { Context } from '../../base/context.ts'
import { isFolder, resolveOutputFile, writeOutput } from '../../base/disk/output-file.ts'
import { EngineError } from '../../base/errors.ts'
import { makeOut } from '../../sources/store/layout.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'
import { joinPieces, writePieces } from '../report.ts'

/** Where a document went, or the document itself. */
export interface Delivered {
  content?: string
  /** The file as a user here would name it. */
  output?: string
  bytes?: number
}

/**
 * Refuses named files before anything is computed: FORBIDDEN where the caller is not on the command line, NOT_FOUND for a
 * directory that does not exist, INPUT_INVALID for what is no file.
 */
export function checkOutput(
  { surface, cwd }: Pick<Context, 'surface' | 'cwd'>,
  output: string | undefined,
  ...others: readonly (string | undefined)[]
): void {
  const named = [output === '-' ? undefined : output, ...others]
  if (surface !== 'cli' && named.some(name => name !== undefined))
    throw new EngineError('FORBIDDEN', 'Files can be named on the command line only.', {
      hint: 'Omit output and config: the answer contains the document.',
    })
  if (output === undefined || output === '-') return
  const path = resolveOutputFile(cwd, output)
  if (!isFolder(dirname(path)))
    throw new EngineError('NOT_FOUND', `The directory ${dirname(output)} for ${output} does not exist.`)
}

interface Target {
  output?: string
  /** The file's name in the output directory, where none is named. */
  name: string
}

/**
 * Writes a document to the named file, else to `name` in the output directory; over HTTP and for `-` it is in the answer.
 * DISK where it cannot be written; no half file is left.
 */
export async function deliver(
  context: Pick<Context, 'surface' | 'cwd' | 'env'>,
  pieces: Iterable<string>,
  target: Target,
): Promise<Delivered> {
  if (context.surface !== 'cli' || target.output === '-') return { content: joinPieces(pieces) }
  return writeTo(context, target, path => writePieces(path, pieces))
}

/** As `deliver`, for what is no text: always a file. */
export function deliverBytes(
  context: Pick<Context, 'cwd' | 'env'>,
  bytes: Uint8Array,
  target: Target,
): Promise<Delivered> {
  return writeTo(context, target, path => {
    writeOutput(path, bytes)
    return bytes.length
  })
}

async function writeTo(
  { cwd, env }: Pick<Context, 'cwd' | 'env'>,
  { output, name }: Target,
  write: (path: string) => number,
): Promise<Delivered> {
  const out = await resolveOutputDirectory({ cwd, env })
  if (output === undefined) makeOut(out)
  const path = output === undefined ? join(out, name) : resolveOutputFile(cwd, output)
  try {
    const bytes = write(path)
    return { output: relative(cwd, path) || path, bytes }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (error instanceof EngineError || code === undefined) throw error
    throw new EngineError('DISK', `${output ?? name} cannot be written: ${code}.`, { cause: error })
  }
}

const EXTENSIONS: Record<string, string> = {
  '.html': 'html',
  '.htm': 'html',
  '.json': 'json',
  '.md': 'md',
  '.pdf': 'pdf',
}

/**
 * The format that a file's name asks for, among these; the first of them where it has no extension. INPUT_INVALID where its extension is
 * that of another format: nobody expects HTML in a .csv.
 */
export function chooseFormat<F extends string>(formats: readonly F[], output: string | undefined): F {
  const extension = output === undefined ? '' : extname(output).toLowerCase()
  if (extension === '') return formats[0]!
  const found = formats.find(format => format === EXTENSIONS[extension])
  if (found === undefined)
    throw new EngineError('INPUT_INVALID', `${output} has the extension of no format of this command.`, {
      hint: `Formats: ${formats.join(', ')}. Choose one with --format to keep the name.`,
    })
  return found
}
