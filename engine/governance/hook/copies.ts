import { basename, join, resolve } from 'node:path'
import { type Arguments, has, listOptionValues, readArguments } from './arguments.ts'
import { isFolder } from './folders.ts'
import type { Word } from './shell.ts'

/** Where files are copied or moved to, for a move where from, and for a link what it stands for: who has it can write that. */
export function listCopied(
  name: 'mv' | 'cp' | 'ln' | 'install' | 'scp' | 'rsync',
  args: readonly Word[],
  cwd: string,
): Word[] {
  const short = { mv: 'St', cp: 'St', ln: 'St', install: 'moggSt', scp: 'cFiJloPSX', rsync: 'efBTM' }[name]
  const long = [
    'target-directory',
    'suffix',
    'mode',
    'owner',
    'group',
    'exclude',
    'include',
    'rsh',
    'filter',
    'files-from',
  ]
  const told = readArguments(args, short, long)
  if (name === 'rsync' || name === 'scp') return received(name, told)
  const folder = listOptionValues(told, 't', 'target-directory')
  if (name === 'install' && has(told, 'd', 'directory')) return told.names
  const { names } = told
  const sources = folder.length > 0 ? names : names.slice(0, -1)
  const to = folder.length > 0 ? folder[0] : names.at(-1)
  const isLink = name === 'ln' || has(told, 'l', 'link', 's', 'symbolic-link')
  if (name === 'ln' && names.length === 1 && folder.length === 0) return [basename(names[0] ?? '.'), names[0]]
  // A folder's own name is kept below the other; with --parents, the whole way.
  if (has(told, 'parents')) return [to]
  const isInto =
    folder.length > 0 ||
    (to !== undefined && !has(told, 'T', 'no-target-directory') && (to.endsWith('/') || isFolder(resolve(cwd, to))))
  const made =
    isInto && to !== undefined
      ? sources.map(source => (source === undefined ? undefined : join(to, basename(source))))
      : [to]
  // What a link stands for, from here and from the place of the link.
  const stoodFor = sources.flatMap((source, at) => [source, ...linked(source, made[at] ?? made[0])])
  return [...(name === 'mv' ? sources : []), ...made, ...(isLink ? stoodFor : [])]
}

function linked(source: Word, place: Word): Word[] {
  return source === undefined || source.startsWith('/') || place === undefined ? [] : [join(place, '..', source)]
}

function received(name: 'scp' | 'rsync', told: Arguments): Word[] {
  const to = told.names.at(-1)
  const sources = told.names.slice(0, -1)
  if (has(told, 'e', 'rsh', 'rsync-path', 'S', 'o', 'log-file', 'backup-dir', 'write-batch', 'partial-dir', 'temp-dir'))
    return name === 'scp' || has(told, 'e', 'rsh', 'rsync-path', 'log-file', 'backup-dir', 'write-batch')
      ? [undefined]
      : [to]
  const isRemote = to !== undefined && /^[^/]*:/.test(to)
  return [...(has(told, 'remove-source-files') ? sources : []), ...(isRemote ? [] : [to])]
}
