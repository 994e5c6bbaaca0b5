import { textOf } from '../root.ts'
import { projectFiles } from '../sources.ts'

/** A block of a page that a test runs: shell commands, or a file that the reader writes. */
export interface Block {
  page: string
  /** Line of the page on which the block begins. */
  line: number
  script: string
  /** Path in the reader's project: `<!-- file: … -->` on the line before. */
  file?: string
  /** Why no test can run it: `<!-- not run: … -->` on the line before. */
  notRun?: string
}

/** The pages for users; generated reference pages quote examples of operations, which have tests of their own. */
export const PAGES = projectFiles().filter(path => path === 'README.md' || /^docs\/[^/]+\.md$/.test(path))

/** Every fenced block of shell commands on a page, and every file that it shows, in order. */
export function listBlocks(page: string): Block[] {
  const blocks: Block[] = []
  const lines = textOf(page).split('\n')
  for (let index = 0; index < lines.length; index++) {
    if (!/^```\w/.test(lines[index]!)) continue
    const end = lines.findIndex((line, at) => at > index && /^```$/.test(line))
    const [, notRun] = /^<!-- not run: (.+) -->$/.exec(lines[index - 1] ?? '') ?? []
    const [, file] = /^<!-- file: (\S+) -->$/.exec(lines[index - 1] ?? '') ?? []
    const script = lines.slice(index + 1, end).join('\n')
    if (file || /^```(?:sh|bash|shell|console)$/.test(lines[index]!))
      blocks.push({ page, line: index + 1, script, ...(file && { file }), ...(notRun && { notRun }) })
    index = end
  }
  return blocks
}
