import { splitFrontMatter } from './front-matter.ts'
import { addRequirement, type RequirementFile, type RequirementReader } from './model.ts'
import { readText } from './values.ts'

/** The file by which Doorstop knows a directory as a document. */
export const DOORSTOP_MARK = '.doorstop.yml'

/**
 * Reads an item of Doorstop: a YAML file, or a Markdown file with front matter, whose name is the id. An inactive item is obsolete; one that is not
 * normative (a heading, a note) requires nothing and is left out. Links name parents, references the files.
 */
export const readDoorstopItem: RequirementReader = async (text, file) => {
  const into: RequirementFile = { requirements: [], faults: [] }
  const front = /\.md$/i.test(file) ? splitFrontMatter(text) : undefined
  const { parseYaml } = await import('../../sources/config/parse.ts')
  const { value, faults } = parseYaml(Buffer.from(front?.yaml ?? text), file)
  const below = front ? front.line - 1 : 0
  for (const { message, place } of faults)
    into.faults.push({ kind: 'invalid', file, line: (place?.line ?? 1) + below, message })
  if (faults.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return into
  const fields = new Map<string, unknown>(Object.entries(value))
  if (fields.get('normative') === false) return into
  const id = file.slice(file.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')
  const body = front ? front.body.trim() : readText(fields.get('text'))
  const references = Array.isArray(fields.get('references')) ? (fields.get('references') as unknown[]) : []
  addRequirement(
    into,
    { file, line: 1, format: 'doorstop' },
    {
      id,
      title: readText(fields.get('header')) || body.replace(/^#+\s*/, ''),
      description: body,
      status: fields.get('active') === false ? 'obsolete' : 'approved',
      level: /^([A-Za-z][A-Za-z_-]*?)[-_]?\d+$/.exec(id)?.[1] ?? '',
      parent: readLinks(fields.get('links')),
      files: references.flatMap(each => {
        const path = readText((each as { path?: unknown } | null)?.path)
        return path === '' ? [] : [path.replace(/([*?[\]{}\\])/g, '\\$1')]
      }),
    },
  )
  return into
}

/** Links are ids, or maps of an id to the fingerprint of the item when it was reviewed. */
function readLinks(value: unknown): string[] {
  const links = Array.isArray(value) ? value : []
  return links
    .map(link => (typeof link === 'object' && link !== null ? (Object.keys(link)[0] ?? '') : readText(link)))
    .filter(link => link !== '')
}
