import { EngineError } from '../base/errors.ts'
import { openText } from './encoded-text.ts'
import { ProjectFile } from './project-file.ts'

/** The text of a file of the project, with no link on its way; undefined where it cannot be read as one. */
export function readProjectText(root: string, path: string): string | undefined {
  try {
    const file = new ProjectFile(root, path, { links: false })
    try {
      return openText(file.bytes)?.text
    } finally {
      file.close()
    }
  } catch (error) {
    if (error instanceof EngineError && error.code !== 'INTERNAL') return undefined
    throw error
  }
}
