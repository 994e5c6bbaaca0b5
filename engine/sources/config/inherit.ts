import { SEVERITIES } from '../../base/records/finding.ts'
import { isTree, merge, type Tree } from './merge.ts'

/**
 * What holds in a folder: its file laid on what it inherits. Maps merge and lists replace, with two exceptions that can
 * only narrow: `scan_exclude` adds to the inherited list, and `gate.fail_on` adds severities. Entries of the folder's
 * lists are relative to the folder and come out relative to the repository's root.
 */
export function inherit(parent: Tree, folder: string, file: Tree): Tree {
  const own: Tree = { ...file }
  for (const key of ['scan_exclude', 'quality_exclude'])
    if (own[key] !== undefined) own[key] = strings(own[key]).map(entry => makePathRelative(folder, entry))
  if (own.scan_exclude !== undefined) own.scan_exclude = [...strings(parent.scan_exclude), ...strings(own.scan_exclude)]
  if (isTree(own.gate) && own.gate.fail_on !== undefined) {
    const either = new Set([...strings(isTree(parent.gate) ? parent.gate.fail_on : []), ...strings(own.gate.fail_on)])
    own.gate = { ...own.gate, fail_on: SEVERITIES.filter(severity => either.has(severity)) }
  }
  return merge(parent, own)
}

/** An entry of a folder's list as an entry of the repository's root; signs that globs use are escaped in the folder's name. */
export function makePathRelative(folder: string, entry: string): string {
  return `${folder.replace(/[\\*?[\]{}()!+@|]/g, '\\$&')}/${entry.replace(/^(\.?\/)+/, '')}`
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? (value as string[]) : []
}
