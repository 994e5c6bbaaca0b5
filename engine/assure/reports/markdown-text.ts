import { clip, escapeInvisibleLine } from '../../base/text/visible.ts'

/** Text that cannot be taken for markup, a mention (@name), a reference (#12), a link or a command of GitLab (`/merge` begins a line). */
export function plain(text: string, limit = 160): string {
  return clip(escapeInvisibleLine(text), limit)
    .replace(/[\\`*_{}[\]<>()#|~&!]|:(?=\/\/)|\.(?<=www\.)/gi, '\\$&')
    .replace(/[@#](?=\w)/g, '$&\u200B')
    .replace(/^[^\S\r\n\u2028\u2029]*\//gm, '\u200B$&')
}

/** A code span, fenced by more backticks than the text has in a row. */
export function code(text: string): string {
  const shown = clip(escapeInvisibleLine(text), 160) || '(none)'
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const pad = /^[ `]|[ `]$/.test(shown) ? ' ' : ''
  return `${fence}${pad}${shown}${pad}${fence}`
}

/** A code span in a table cell, where a bar must be escaped even in code. */
export function cellCode(text: string): string {
  return code(text).replaceAll('|', '\\|')
}
