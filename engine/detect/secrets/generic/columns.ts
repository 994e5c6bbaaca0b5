import { readInsertedRows } from './positions.ts'
import type { Value } from './value.ts'

const BEFORE = /\binto\s+[\w."'`[\]{}]{1,80}\s*\(([^()]{0,400})$/i
const AFTER = /^["'`\]]?(?:\s{0,4},\s{0,80}["'`[]?\w{1,60}["'`\]]?){0,30}\s{0,80}\)\s{0,80}values?\s{0,80}\(/i

/** What rows that are inserted into a table have in the column of this name: `INSERT INTO users (name, password) VALUES ('bob', '…')`. */
export function readInserted(text: string, nameStart: number, nameEnd: number): Value[] {
  if (!isInList(text, nameEnd)) return []
  const after = AFTER.exec(text.slice(nameEnd, nameEnd + 1000))
  if (!after) return []
  const before = BEFORE.exec(text.slice(Math.max(0, nameStart - 500), nameStart))
  if (!before) return []
  return readInsertedRows(text, nameEnd + after[0].length - 1, before[1]!.split(',').length - 1)
}

/** Whether a comma or a parenthesis may follow a name, its closing quote aside: behind most names neither does, and the expression need not be compiled. */
function isInList(text: string, nameEnd: number): boolean {
  let at = '"\'`]'.includes(text[nameEnd] ?? '!') ? nameEnd + 1 : nameEnd
  while (text.charCodeAt(at) <= 0x20) at++
  const code = text.charCodeAt(at)
  return code === 0x2c || code === 0x29 || code >= 0x80
}
