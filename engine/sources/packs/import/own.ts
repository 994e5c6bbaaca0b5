import { basename } from 'node:path'
import type { WrittenRule } from '../pack-file.ts'
import { refusePack } from '../parse.ts'
import { type Draft, type DraftLibrary, type DraftRule, makeSlug } from './draft.ts'
import type { Source, SourceDocument } from './source.ts'

type Map = Record<string, unknown>

/**
 * A pack in svc's own format: one file with the rules under `rules`, or a folder with `pack.yaml` and one file for each
 * rule. Rules without a pack become one that is called `id`, else as the source is.
 */
export function makeOwnDraft({ name, documents }: Source, id: string | undefined): Draft {
  const heads = documents.filter(({ data }) => isPack(data))
  const [head] = heads
  if (heads.length > 1) {
    throw refusePack(heads[1]!.file, [
      {
        message: `it is a second pack after ${head!.file}; import one pack at a time`,
        place: heads[1]!.place([], 'value'),
      },
    ])
  }
  const { rules: inner, libraries: taught, ...said } = (head?.data ?? made(id ?? (makeSlug(name) || 'imported'))) as Map
  const draft: Draft = {
    format: 'svc',
    head: id === undefined ? said : { ...said, id },
    file: head?.file ?? documents[0]!.file,
    place: (head ?? documents[0]!).place,
    rules: [],
    libraries: head && taught !== undefined ? librariesUnder(taught, head) : [],
    left_out: [],
  }
  if (head && inner !== undefined) draft.rules.push(...rulesUnder(inner, head))
  for (const document of documents) {
    if (document === head) continue
    if (/(?:^|[\\/])libraries[\\/]/.test(document.file)) draft.libraries.push(libraryOf(document))
    else draft.rules.push(ruleOf(document, head !== undefined))
  }
  return draft
}

/** Whether a document says what pack.yaml says. */
export function isPack(data: unknown): boolean {
  return isMap(data) && 'version' in data && 'name' in data
}

export function isMap(data: unknown): data is Map {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

function made(id: string): Map {
  return { id, version: '1.0.0', name: id, description: 'Imported rules.', languages: ['any'] }
}

function rulesUnder(inner: unknown, { file, place }: SourceDocument): DraftRule[] {
  if (!Array.isArray(inner))
    throw refusePack(file, [{ message: 'rules must be a list of rules', place: place(['rules'], 'value') }])
  return inner.map((data, index) => ({
    data: isMap(data) ? (data as WrittenRule) : ({ id: '', value: data } as WrittenRule),
    file,
    place: (path, part) => place(['rules', String(index), ...path], part),
  }))
}

function librariesUnder(inner: unknown, { file, place }: SourceDocument): DraftLibrary[] {
  if (!Array.isArray(inner))
    throw refusePack(file, [{ message: 'libraries must be a list of libraries', place: place(['libraries'], 'value') }])
  return inner.map((data, index) => {
    const own: DraftLibrary['place'] = (path, part) => place(['libraries', String(index), ...path], part)
    const named = makeSlug(String((data as Map | null)?.library ?? '')) || 'library'
    return { ...libraryOf({ file, data, place: own }), name: `${named}-${index + 1}` }
  })
}

function libraryOf({ file, data, place }: SourceDocument): DraftLibrary {
  if (!isMap(data)) throw refusePack(file, [{ message: 'a library must be a map of keys', place: place([], 'value') }])
  return { name: makeSlug(basename(file).replace(/\.ya?ml$/i, '')) || 'library', data, file, place }
}

function ruleOf({ file, data, place }: SourceDocument, named: boolean): DraftRule {
  if (!isMap(data)) throw refusePack(file, [{ message: 'a rule must be a map of keys', place: place([], 'value') }])
  const stem = basename(file).replace(/\.ya?ml$/i, '')
  if (named && data.id !== stem)
    throw refusePack(file, [
      { message: `its id is ${String(data.id)}, but its file is ${stem}`, place: place(['id'], 'value') },
    ])
  return { data: data as WrittenRule, file, place }
}
