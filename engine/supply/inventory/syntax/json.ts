import { ManifestFault } from '../parsed.ts'

/** The JSON value of a text; a byte order mark is left out. Throws ManifestFault with the line. */
export function readJson(text: string): unknown {
  const content = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  try {
    return JSON.parse(content)
  } catch (error) {
    const { message } = error as Error
    const position = /at position (\d+)/.exec(message)?.[1]
    const at = position === undefined ? undefined : Math.min(Number(position), content.length)
    const line = at === undefined ? undefined : countLines(content, at)
    const what = /end of JSON/.test(message) ? 'the file ends too early' : 'a character is not expected'
    throw new ManifestFault(`invalid JSON: ${what}`, line)
  }
}

function countLines(text: string, end: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** The lines of an object's keys, and of those within its values; elements of a list have their index as key. */
export interface KeyLines {
  line: number
  keys: Map<string, KeyLines>
}

/**
 * Finds the line of each key down to a depth, in one pass over well-formed JSON. Comments and commas before a closing bracket are
 * allowed, as in JSONC.
 */
export function findKeyLines(text: string, depth: number): KeyLines {
  const root: KeyLines = { line: 1, keys: new Map() }
  /** What is open, the innermost last; undefined past the depth. */
  const open: (Level | undefined)[] = []
  let [line, pending] = [1, root as KeyLines | undefined]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x0a) line++
    else if (code === 0x22) {
      const end = endOfString(text, at)
      const level = open.at(-1)
      if (level?.expectsKey) {
        pending = { line, keys: new Map() }
        level.node.keys.set(decodeKey(text.slice(at, end + 1)), pending)
        level.expectsKey = false
      }
      at = end
    } else if (code === 0x2f && text.charCodeAt(at + 1) === 0x2f) {
      const end = text.indexOf('\n', at)
      at = end === -1 ? text.length : end - 1
    } else if (code === 0x2f && text.charCodeAt(at + 1) === 0x2a) {
      const end = text.indexOf('*/', at + 2)
      const stop = end === -1 ? text.length : end + 1
      for (let next = text.indexOf('\n', at); next !== -1 && next < stop; next = text.indexOf('\n', next + 1)) line++
      at = stop
    } else if (code === 0x7b || code === 0x5b) {
      const parent = open.at(-1)
      if (parent?.index !== undefined) pending = addElement(parent, line)
      const node = open.length < depth ? pending : undefined
      open.push(node && { node, expectsKey: code === 0x7b, ...(code === 0x5b && { index: 0 }) })
      pending = undefined
    } else if (code === 0x7d || code === 0x5d) open.pop()
    else if (code === 0x2c) {
      const level = open.at(-1)
      if (level?.index !== undefined) level.index++
      else if (level) level.expectsKey = true
    }
  }
  return root
}

interface Level {
  node: KeyLines
  expectsKey: boolean
  index?: number
}

function addElement({ node, index }: Level, line: number): KeyLines {
  const element = { line, keys: new Map() }
  node.keys.set(String(index), element)
  return element
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) at++
    else if (code === 0x22) return at
  }
  return text.length
}

function decodeKey(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted.slice(1, -1)
  }
}

/** The line of a key by its path; undefined where it is not there. */
export function findLine(lines: KeyLines, ...path: string[]): number | undefined {
  let at: KeyLines | undefined = lines
  for (const key of path) at = at?.keys.get(key)
  return at?.line
}
