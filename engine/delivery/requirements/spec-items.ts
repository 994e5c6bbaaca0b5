import { addRequirement, mapStatus, type RequirementFile } from './model.ts'

/** The id of a specification item: type, name and revision, alone on its line, in backticks or not. */
const ITEM = /^ {0,3}`{0,2}([A-Za-z]{1,40}~[A-Za-z][\w.-]{0,140}~\d{1,9})`{0,2}[ \t]*$/
const HEADING = /^ {0,3}#{1,6}[ \t]+(\S.*)$/
const KEYWORD =
  /^ {0,3}(?:\*{1,2}|_{1,2})?(Needs|Covers|Depends|Rationale|Comment|Tags|Status|Description):?(?:\*{1,2}|_{1,2})?:?[ \t]*(.*)$/

interface Item {
  id: string
  line: number
  title: string
  text: string[]
  covers: string[]
  status: string
}

/**
 * Reads the specification items of OpenFastTrace in a Markdown file: an id such as `req~login~1` on a line of its own, after a heading that is its
 * title. What it covers are its parents, its type is its level; what it needs is told by the trace. Code blocks are no items.
 */
export function readSpecItems(text: string, file: string): RequirementFile {
  const into: RequirementFile = { requirements: [], faults: [] }
  let heading = ''
  let fence: string | undefined
  let item: Item | undefined
  let section = 'Description'
  const finish = () => {
    if (!item) return
    const { id, line, title, text: lines, covers, status } = item
    const description = lines.join('\n').trim()
    addRequirement(
      into,
      { file, line, format: 'markdown' },
      { id, title, description, status: mapStatus(status), level: id.slice(0, id.indexOf('~')), parent: covers },
    )
    item = undefined
  }
  for (const [at, whole] of text.split(/\r?\n/).entries()) {
    const line = whole.slice(0, 2000)
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined
    if (fence !== undefined || mark !== undefined) {
      if (section === 'Description') item?.text.push(whole)
      continue
    }
    const title = HEADING.exec(line)?.[1]?.replace(/[ \t]+#+[ \t]*$/, '')
    if (title !== undefined) {
      finish()
      heading = title.trim()
      continue
    }
    const id = ITEM.exec(line)?.[1]
    if (id !== undefined && !(item && section !== 'Description')) {
      finish()
      item = { id, line: at + 1, title: heading, text: [], covers: [], status: '' }
      section = 'Description'
      continue
    }
    if (!item) continue
    const [, keyword, rest = ''] = KEYWORD.exec(line) ?? []
    if (keyword !== undefined) section = keyword
    if (section === 'Status' && keyword !== undefined) item.status = rest.trim()
    else if (section === 'Covers') item.covers.push(...listIds(keyword === undefined ? line : rest))
    else if (section === 'Description') item.text.push(keyword === undefined ? whole : rest)
  }
  finish()
  return into
}

function listIds(text: string): string[] {
  return [...text.matchAll(/[A-Za-z]{1,40}~[A-Za-z][\w.-]{0,140}~\d{1,9}/g)].map(([id]) => id)
}
