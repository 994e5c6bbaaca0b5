/** Lines around a change that are shown. */
const CONTEXT = 3

/**
 * A change of one text into another as diff lines, by what both begin and end with in common: settings change in one place at a time, and a
 * longer diff than needed is still a true one. Empty where nothing changes.
 */
export function formatChange(before: string, after: string): string {
  if (before === after) return ''
  const a = before.split('\n')
  const b = after.split('\n')
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  return [
    ...a.slice(Math.max(0, head - CONTEXT), head).map(line => ` ${line}`),
    ...a.slice(head, a.length - tail).map(line => `-${line}`),
    ...b.slice(head, b.length - tail).map(line => `+${line}`),
    ...a.slice(a.length - tail, a.length - tail + CONTEXT).map(line => ` ${line}`),
  ].join('\n')
}
