import { stripVTControlCharacters } from 'node:util'

/** The text in lines of at most `width` columns, broken between words; a longer word stands alone. Lines after the first are indented. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && columnsOf(longer) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line].join(`\n${indent}`)
}

/** Two columns, the second one wrapped; a first one wider than `widest` pushes its text to the next line. */
export function formatTable(
  rows: readonly (readonly [left: string, right: string])[],
  width: number,
  widest = 30,
): string {
  const left = Math.max(0, ...rows.map(([l]) => columnsOf(l)).filter(columns => columns <= widest))
  const indent = ' '.repeat(left + 4)
  return rows
    .map(([l, r]) => {
      if (r === '') return `  ${l}`
      const gap = columnsOf(l) > left ? `\n${indent}` : ' '.repeat(left - columnsOf(l) + 2)
      return `  ${l}${gap}${wrap(r, Math.max(20, width - indent.length), indent)}`
    })
    .join('\n')
}

function columnsOf(text: string): number {
  return stripVTControlCharacters(text).length
}
