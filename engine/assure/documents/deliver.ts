import { dirname, extname, join, relative } from 'node:path'
import type { Context } from '../../base/context.ts'
import { isFolder, resolveOutputFile } from '../../base/disk/output-file.ts'
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
 * Refuses a named output file before anything is computed: FORBIDDEN where the caller is not on the command line, NOT_FOUND for a
 * directory that does not exist, INPUT_INVALID for what is no file.
 */
export function checkOutput({ surface, cwd }: Pick<Context, 'surface' | 'cwd'>, output: string | undefined): void {
  if (output === undefined || output === '-') return
  if (surface !== 'cli')
    throw new EngineError('FORBIDDEN', 'A file to write can be named on the command line only.', {
      hint: 'Omit output: the answer contains the document.',
    })
  const path = resolveOutputFile(cwd, output)
  if (!isFolder(dirname(path)))
    throw new EngineError('NOT_FOUND', `The directory ${dirname(output)} for ${output} does not exist.`)
}

/**
 * Writes a document to the named file, else to `name` in the output directory; over HTTP and for `-` it is in the answer.
 * DISK where it cannot be written; no half file is left.
 */
export async function deliver(
  { surface, cwd, env }: Pick<Context, 'surface' | 'cwd' | 'env'>,
  pieces: Iterable<string>,
  { output, name }: { output?: string; name: string },
): Promise<Delivered> {
  if (surface !== 'cli' || output === '-') return { content: joinPieces(pieces) }
  const out = await resolveOutputDirectory({ cwd, env })
  if (output === undefined) makeOut(out)
  const path = output === undefined ? join(out, name) : resolveOutputFile(cwd, output)
  try {
    const bytes = writePieces(path, pieces)
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

/** The format that a file's name asks for, among these; the first of them where it asks for none. */
export function chooseFormat<F extends string>(formats: readonly F[], output: string | undefined): F {
  const wanted = output === undefined ? undefined : EXTENSIONS[extname(output).toLowerCase()]
  return formats.find(format => format === wanted) ?? formats[0]!
}
