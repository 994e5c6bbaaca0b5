import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Document, isMap, parseDocument, type ToStringOptions } from 'yaml'
import { writeProjectFile } from '../../base/disk/project-write.ts'
import { readSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import { parseLayer } from './layer.ts'
import { complete } from './load.ts'
import { isTree, type Tree } from './merge.ts'
import { parseYaml } from './parse.ts'
import { CONFIG_PATH, LEGACY_PATH } from './paths.ts'
import type { Settings } from './schema.ts'
import { findContradictions, refuseConfig } from './validate.ts'

/** What an edit did: the file it concerns and what the file says now. */
export interface Edited {
  /** Repository-relative. */
  path: string
  changed: boolean
  settings: Tree
  /** The text of the file before and after; before it is empty where there is no file. */
  before: string
  after: string
}

/**
 * Changes the root's configuration file (made where there is none) through its YAML document, so that comments and
 * order stay. The result is validated before it is written, and written in one step. CONFIG_INVALID, with the file as
 * it was, where the file cannot be read or the result would not be valid; CONFLICT where an alias is in the way.
 */
export async function editConfig(root: string, edit: (document: Document) => void): Promise<Edited> {
  const edited = await tryEdit(root, edit)
  if (edited.changed) writeProjectFile(root, edited.path, edited.after)
  return edited
}

/** As `editConfig`, with the same errors, but nothing is written. */
export async function tryEdit(root: string, edit: (document: Document) => void): Promise<Edited> {
  const path = !existsSync(join(root, CONFIG_PATH)) && existsSync(join(root, LEGACY_PATH)) ? LEGACY_PATH : CONFIG_PATH
  const before = readSettings(root, path) ?? Buffer.alloc(0)
  const { faults } = parseYaml(before, path)
  if (faults.length > 0) throw refuseConfig(faults)

  const text = before.toString('utf8')
  const document = parseDocument(text)
  const unedited = document.toString(styleOf(text))
  // What an earlier edit has emptied stands there as {}, and nobody chose to write the file in one line.
  if (isMap(document.contents) && document.contents.items.length === 0) document.contents.flow = false
  edit(document)
  const edited = document.toString(styleOf(text))
  const changed = edited !== unedited
  const after = text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited

  const layer = await parseLayer(Buffer.from(after), path, 'root')
  const wrong =
    layer.faults.length > 0 ? layer.faults : findContradictions(complete(layer.settings) as unknown as Settings)
  if (wrong.length > 0) {
    // The places are those of a file that is never written.
    const messages = wrong.map(({ message }) => ({ message }))
    throw refuseConfig(messages, 'Nothing was written. Correct the named key and try again.')
  }
  return { path, changed, settings: layer.settings, before: text, after: changed ? after : text }
}

/** Sets every value of a nested map; maps merge into what is there, lists and values replace it. */
export function setKeys(document: Document, tree: Tree, above: readonly string[] = []): void {
  for (const [key, value] of Object.entries(tree)) {
    const path = [...above, key]
    if (isTree(value) && Object.keys(value).length > 0) setKeys(document, value, path)
    else {
      openSections(document, path.slice(0, -1))
      document.setIn(path, document.createNode(value))
    }
  }
}

/** Takes a dotted key out, and the sections that are empty then. A key that is not set is left alone. */
export function unsetKey(document: Document, key: string): void {
  for (let path = key.split('.'); path.length > 0 && document.hasIn(path); path = path.slice(0, -1)) {
    document.deleteIn(path)
    const section = document.getIn(path.slice(0, -1)) as { items?: unknown[] } | undefined
    if (section?.items?.length !== 0) return
  }
}

/** Makes maps of the sections on a path that stand without a value. */
function openSections(document: Document, path: readonly string[]): void {
  for (const depth of path.keys()) {
    const at = path.slice(0, depth + 1)
    const node = document.getIn(at, true) as { items?: unknown[]; value?: unknown; source?: string } | undefined
    if (node === undefined || node.items) continue
    if (node.value !== null)
      throw new EngineError('CONFLICT', `${at.join('.')} is not written as a map in the configuration file.`, {
        hint: 'Edit the file by hand.',
      })
    document.setIn(at, document.createNode({}))
  }
}

/** Settings that write the document as its author wrote it: indent, lists indented or not, brackets padded or not. */
function styleOf(text: string): ToStringOptions {
  const indent = /^( +)[^\s#-]/m.exec(text)?.[1]?.length ?? 2
  const flush = /^( *)[^\s#-][^\n]*:[ \t]*\r?\n(?: *#[^\n]*\n)*\1- /m.test(text)
  const padded = /\[ +\S/.test(text) || (/\{ +\S/.test(text) && !/\[\S/.test(text))
  return { lineWidth: 0, indent: Math.min(indent, 8), indentSeq: !flush, flowCollectionPadding: padded }
}
