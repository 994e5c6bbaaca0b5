import { splitFrontMatter } from './front-matter.ts'
import { addRequirement, mapStatus, type RequirementFile, type RequirementReader } from './model.ts'
import { readSpecItems } from './spec-items.ts'
import { readList, readText } from './values.ts'

/**
 * Reads a Markdown file whose front matter has an `id`: one requirement a file; without one, its specification items of OpenFastTrace. The body is its description, its first heading the title where the
 * front matter has none, and the list below a heading "Acceptance criteria" its acceptance criteria. Keys that are none of a requirement are left
 * to other tools.
 */
export const readRequirementMarkdown: RequirementReader = async (text, file) => {
  const into: RequirementFile = { requirements: [], faults: [] }
  const front = splitFrontMatter(text)
  if (!front) return readSpecItems(text, file)
  const { parseYaml } = await import('../../sources/config/parse.ts')
  const { value, faults, placeOf } = parseYaml(Buffer.from(front.yaml), file)
  const below = front.line - 1
  for (const { message, place } of faults)
    into.faults.push({ kind: 'invalid', file, line: (place?.line ?? 1) + below, message })
  if (faults.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return into
  const fields = new Map(Object.entries(value))
  if (!fields.has('id')) return readSpecItems(text, file)
  const body = readBody(front.body)
  const line = (placeOf(['id'], 'key').line ?? 1) + below
  const url = readText(fields.get('url'))
  addRequirement(
    into,
    { file, line, format: 'markdown' },
    {
      id: readText(fields.get('id')),
      title: readText(fields.get('title')) || body.title,
      description: readText(fields.get('description')) || body.text,
      status: mapStatus(readText(fields.get('status'))),
      level: readText(fields.get('level')),
      parent: readList(fields.get('parent') ?? fields.get('parents') ?? fields.get('links')),
      acceptance: [...readList(fields.get('acceptance')), ...body.acceptance],
      files: readList(fields.get('files')),
      tests: readList(fields.get('tests')),
      controls: readList(fields.get('controls')),
      ...(url !== '' && { source: { provider: 'markdown', key: readText(fields.get('id')), url } }),
    },
  )
  return into
}

function readBody(body: string): { title: string; text: string; acceptance: string[] } {
  const lines = body.split(/\r?\n/)
  const acceptance: string[] = []
  const text: string[] = []
  let title = ''
  let isAcceptance = false
  for (const line of lines) {
    const heading = /^ {0,3}#{1,6}[ \t]+(\S.*)$/.exec(line.slice(0, 1000))?.[1]?.replace(/[ \t]+#+[ \t]*$/, '')
    if (heading !== undefined) {
      isAcceptance = /^acceptance(?: criteria| tests)?\s*:?$/i.test(heading.trim())
      if (title === '' && !isAcceptance) {
        title = heading.trim()
        continue
      }
    }
    const item = isAcceptance ? /^\s{0,3}(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/.exec(line)?.[1] : undefined
    if (item !== undefined) acceptance.push(item.trim())
    else if (!isAcceptance) text.push(line)
  }
  return { title, text: text.join('\n').trim(), acceptance }
}
