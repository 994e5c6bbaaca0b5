import type { Span } from './ir.ts'

/** An expression as it would stand on one line: models name what a call is sent to in that way. */
export function readWritten(text: string, { start, end }: Span): string {
  const own = text.slice(start, end)
  if (!own.includes('\n')) return own
  return own
    .split(/\s*\n\s*/)
    .join('\n')
    .replace(/(?<=[([.])\n|\n(?=[)\].?]|->)/g, '')
    .replaceAll('\n', ' ')
}
