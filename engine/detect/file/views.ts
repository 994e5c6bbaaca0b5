import type { FileInput } from '../rules/file-outcome.ts'
import type { Views } from '../rules/view.ts'
import { makeManifestView, mayBeManifest } from './views/manifest.ts'
import { makeNotebookViews } from './views/notebook.ts'
import { makeTerraformView } from './views/terraform.ts'

const TERRAFORM = /\.(?:tf|tofu)\.json$/

/** Whether a file may hold something in another form than its own: by its path, and a few words in its bytes. It costs an ordinary file next to nothing. */
export function mayHaveViews(language: string, path: string, bytes: Uint8Array): boolean {
  if (language === 'jupyter' || TERRAFORM.test(path)) return true
  return (language === 'json' || (language === 'yaml' && path.endsWith('.json'))) && mayBeManifest(path, bytes)
}

/** What such a file holds in another form than its own. `isJudged` says whether any rule is for a language. */
export function makeViews(
  language: string,
  path: string,
  text: string,
  isJudged: (language: string) => boolean,
): Views {
  if (language === 'jupyter') return makeNotebookViews(path, text, isJudged)
  const isTerraform = TERRAFORM.test(path)
  if (!isJudged(isTerraform ? 'hcl' : 'yaml')) return { views: [] }
  const view = isTerraform ? makeTerraformView(path, text) : makeManifestView(path, text)
  if (view === undefined) return { views: [] }
  if ('text' in view) return { views: [view] }
  return { views: [], failure: { ...view, language: isTerraform ? 'hcl' : 'yaml' } }
}

/** What is JSON, whatever else its name says: its own text is read as that, and what it holds by itself. */
export function isJson({ language, path }: Pick<FileInput, 'language' | 'path'>): boolean {
  return language === 'jupyter' || ((language === 'yaml' || language === 'hcl') && path.endsWith('.json'))
}
