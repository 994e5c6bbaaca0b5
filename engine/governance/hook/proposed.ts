import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { isObject, type JsonObject } from '../../base/text/json-object.ts'
import { formatUnifiedDiff } from '../../fixes/unified-diff.ts'
import { isPatch } from './patch.ts'

/** Characters of a diff that are kept; the digest of the action stands for all of it. */
const LONGEST = 65_536
/** Bytes of a file that is compared. */
const LARGEST = 1_048_576

/** What a tool would change, as a unified diff against the present content; undefined where its input does not tell. */
export function makeProposedDiff(root: string, paths: readonly string[], input: unknown): string | undefined {
  if (typeof input === 'string') return isPatch(input) ? clipped(input) : undefined
  if (!isObject(input)) return undefined
  const patch = Object.values(input).find(value => typeof value === 'string' && isPatch(value))
  if (typeof patch === 'string') return clipped(patch)
  const [path] = paths
  if (paths.length !== 1 || path === undefined) return undefined
  const name = relative(root, path).split(sep).join('/')
  const before = contentOf(path)
  const content = ['content', 'file_text', 'contents', 'new_content', 'text'].map(key => input[key]).find(isText)
  if (before === undefined && content !== undefined) return clipped(listed(name, undefined, content))
  if (content !== undefined) return clipped(changeOf(name, before!, content))
  const edits = editsOf(input)
  if (edits.length === 0) return undefined
  let after = before ?? ''
  for (const { old, fresh, all } of edits) {
    // What is not there now may be there when it is done: the edit itself is shown.
    if (old === '' ? after !== '' : !after.includes(old))
      return clipped(edits.map(edit => listed(name, edit.old, edit.fresh)).join(''))
    after = all ? after.replaceAll(old, () => fresh) : after.replace(old, () => fresh)
  }
  return clipped(changeOf(name, before ?? '', after))
}

interface Edit {
  old: string
  fresh: string
  all: boolean
}

/** The replacements in an input, in the names that editing tools use. */
function editsOf(input: JsonObject): Edit[] {
  const list = [input.edits, input.changes, input.replacements].find(Array.isArray)
  const all = list ? list.filter(isObject) : [input]
  return all.flatMap(edit => {
    const old = ['old_string', 'old_str', 'oldText', 'old_text', 'search'].map(key => edit[key]).find(isText)
    const fresh = ['new_string', 'new_str', 'newText', 'new_text', 'replace'].map(key => edit[key]).find(isText)
    return old === undefined || fresh === undefined ? [] : [{ old, fresh, all: edit.replace_all === true }]
  })
}

/** The difference of two texts as one replacement: from the first line that differs to the last. */
function changeOf(name: string, before: string, after: string): string {
  if (before === after) return ''
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  return formatUnifiedDiff(name, before, [
    { start, end: before.length - end, text: after.slice(start, after.length - end) },
  ])
}

/** Lines taken out and put in, without their place. */
function listed(name: string, old: string | undefined, fresh: string): string {
  const lines = (sign: string, text: string) => text.split(/(?<=\n)/).map(line => `${sign}${line.replace(/\n$/, '')}\n`)
  return [
    old === undefined ? '--- /dev/null\n' : `--- a/${name}\n`,
    `+++ b/${name}\n`,
    ...(old ? lines('-', old) : []),
    ...(fresh ? lines('+', fresh) : []),
  ].join('')
}

function contentOf(path: string): string | undefined {
  let handle: number | undefined
  try {
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = fstatSync(handle)
    return stat.isFile() && stat.size <= LARGEST ? readFileSync(handle, 'utf8') : undefined
  } catch {
    return undefined
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function clipped(diff: string): string {
  if (diff.length <= LONGEST) return diff
  return `${diff.slice(0, LONGEST)}\n[${diff.length - LONGEST} more characters are not shown; the approval is for all of them]\n`
}
