import { has, listOptionValues, readArguments } from './arguments.ts'
import { listCopied } from './copies.ts'
import type { Word } from './shell.ts'
import { isPlainAwk, isPlainSed, isSubstitution } from './stream-scripts.ts'

/** What a program writes by its arguments; a word that is undefined is a place that is known only when it runs. */
export type Targets = Word[]

type Row = (args: readonly Word[], cwd: string) => Targets

/** It may write anywhere. */
const ANYWHERE: Targets = [undefined]

/** All names are written. */
const names =
  (short = '', long: readonly string[] = []): Row =>
  args =>
    readArguments(args, short, long).names

/** The names but for the first, which says how; where a file is to be taken as the model, all. */
const allButFirst: Row = args => {
  const told = readArguments(args)
  return has(told, 'reference') ? told.names : told.names.slice(1)
}

const copy =
  (name: 'mv' | 'cp' | 'ln' | 'install' | 'scp' | 'rsync'): Row =>
  (args, cwd) =>
    listCopied(name, args, cwd)

const editor: Row = () => ANYWHERE

const compress: Row = args => {
  const told = readArguments(args, 'SoTMBDdlt', ['output', 'suffix'])
  return has(told, 'c', 'stdout', 't', 'test', 'l', 'list')
    ? []
    : [...told.names, ...listOptionValues(told, 'o', 'output')]
}

const ROWS: Readonly<Record<string, Row>> = {
  rm: names(),
  rmdir: names(),
  unlink: names(),
  shred: names('ns', ['iterations', 'size']),
  touch: names('rdt', ['reference', 'date']),
  mkdir: names('m', ['mode']),
  tee: names(),
  sponge: names(),
  mkfifo: names('m', ['mode']),
  mknod: args => readArguments(args, 'm', ['mode']).names.slice(0, 1),
  truncate: names('sr', ['size', 'reference']),
  gzip: compress,
  gunzip: compress,
  bzip2: compress,
  bunzip2: compress,
  xz: compress,
  unxz: compress,
  zstd: compress,
  // A mode may begin with a dash: `chmod -x file`.
  chmod: args => (args.some(arg => /^-[rwxXst]+$/.test(arg ?? '')) ? readArguments(args).names : allButFirst(args, '')),
  chown: allButFirst,
  chgrp: allButFirst,
  chattr: allButFirst,
  mv: copy('mv'),
  cp: copy('cp'),
  ln: copy('ln'),
  install: copy('install'),
  rsync: copy('rsync'),
  scp: copy('scp'),
  vi: editor,
  mktemp: args => {
    const told = readArguments(args, 'p', ['suffix'])
    const folder = listOptionValues(told, 'p', 'tmpdir')
    return folder.length > 0 ? folder : has(told, 't') || told.names.length === 0 ? [] : told.names
  },
  sort: args => {
    const told = readArguments(args, 'koStT', [
      'output',
      'key',
      'field-separator',
      'temporary-directory',
      'compress-program',
    ])
    return has(told, 'compress-program') ? ANYWHERE : listOptionValues(told, 'o', 'output')
  },
  split: args => [`${readArguments(args, 'abClnt').names[1] ?? 'x'}aa`],
  dd: args => args.flatMap(arg => (arg === undefined ? [undefined] : arg.startsWith('of=') ? [arg.slice(3)] : [])),
  sed(args) {
    const told = readArguments(args, 'eflE', ['expression', 'file', 'line-length'].slice(0, 2))
    const scripts = listOptionValues(told, 'e', 'expression')
    const isNamed = scripts.length > 0 || has(told, 'f', 'file')
    const [first, ...rest] = told.names
    if (has(told, 'f', 'file') || !(isNamed ? scripts : [first]).every(isPlainSed)) return ANYWHERE
    // `-i` takes what is joined to it as a suffix, whatever letters it has.
    const inPlace = args.some(arg => arg === undefined || /^-[nErsuz]*i|^--in/.test(arg))
    return inPlace ? (isNamed ? told.names : rest) : []
  },
  awk: args => awk(args),
  gawk: args => awk(args),
  mawk: args => awk(args),
  perl: args => inPlace(args),
  ruby: args => inPlace(args),
  yq(args) {
    const told = readArguments(args, 'ops', ['split-exp'])
    return has(told, 's', 'split-exp') ? ANYWHERE : has(told, 'i', 'inplace') ? told.names : []
  },
  uniq: args => readArguments(args, 'fsw').names.slice(1),
  curl(args) {
    const told = readArguments(args, 'AbcCdDeEFhHKmoPQrtTuUwxXyYz', [
      'output',
      'output-dir',
      'dump-header',
      'cookie-jar',
      'trace',
      'trace-ascii',
      'config',
      'stderr',
      'etag-save',
      'hsts',
      'alt-svc',
      'libcurl',
      'header',
      'data',
      'request',
      'user',
      'url',
      'max-time',
      'form',
    ])
    if (has(told, 'K', 'config')) return ANYWHERE
    const folder = listOptionValues(told, 'output-dir')
    const files = listOptionValues(
      told,
      'o',
      'output',
      'D',
      'dump-header',
      'c',
      'cookie-jar',
      'trace',
      'trace-ascii',
      'stderr',
      'etag-save',
      'hsts',
      'alt-svc',
      'libcurl',
    ).filter(file => file !== '-')
    const remote = has(told, 'O', 'remote-name', 'remote-name-all') && folder.length === 0 ? ['.'] : []
    return [...files, ...folder, ...remote]
  },
  wget(args) {
    const told = readArguments(args, 'aBDeiIlnoOPQRtTUwX', [
      'output-document',
      'directory-prefix',
      'output-file',
      'append-output',
      'execute',
      'config',
      'header',
      'tries',
      'timeout',
      'user-agent',
      'post-data',
      'input-file',
      'use-askpass',
    ])
    if (has(told, 'e', 'execute', 'config', 'use-askpass')) return ANYWHERE
    const document = listOptionValues(told, 'O', 'output-document')
    const folder = listOptionValues(told, 'P', 'directory-prefix')
    const logs = listOptionValues(told, 'o', 'output-file', 'a', 'append-output')
    return [...(document.length > 0 ? document : folder.length > 0 ? folder : ['.']), ...logs].filter(
      file => file !== '-',
    )
  },
  tar: args => archived(args),
  bsdtar: args => archived(args),
  unzip(args) {
    const told = readArguments(args, 'dx')
    return has(told, 'l', 't', 'v', 'p', 'Z') ? [] : has(told, 'd') ? listOptionValues(told, 'd') : ['.']
  },
  zip: args => readArguments(args, 'bntP').names.slice(0, 1),
  patch(args) {
    const told = readArguments(args, 'idpDFgorVYzB', ['input', 'directory', 'strip', 'output', 'reject-file'])
    const rest = listOptionValues(told, 'o', 'output', 'r', 'reject-file', 'd', 'directory')
    return has(told, 'dry-run') ? [] : [told.names[0] ?? '.', ...rest]
  },
}

/** The places that a program writes; undefined for a program that nothing is known of. */
export function findTargets(name: string, args: readonly Word[], cwd: string): Targets | undefined {
  return Object.hasOwn(ROWS, name) ? ROWS[name]!(args, cwd) : undefined
}

function archived(args: readonly Word[]): Targets {
  const [first, ...rest] = args
  // The oldest form has its letters without a dash.
  const told = readArguments(
    first !== undefined && /^[a-zA-Z]+$/.test(first) ? [`-${first}`, ...rest] : args,
    'bCfFgHIKLNTVX',
    [
      'directory',
      'file',
      'exclude',
      'files-from',
      'use-compress-program',
      'strip-components',
      'transform',
      'owner',
      'group',
    ],
  )
  const runs = [
    'I',
    'F',
    'to-command',
    'checkpoint-action',
    'use-compress-program',
    'info-script',
    'new-volume-script',
    'rmt-command',
    'rsh-command',
    'P',
    'absolute-names',
    'transform',
    'xform',
    's',
  ]
  if (has(told, ...runs)) return ANYWHERE
  if (has(told, 'x', 'extract', 'get'))
    return has(told, 'C', 'directory')
      ? listOptionValues(told, 'C', 'directory')
      : has(told, 'O', 'to-stdout')
        ? []
        : ['.']
  const files = has(told, 't', 'list') ? [] : listOptionValues(told, 'f', 'file').filter(file => file !== '-')
  return [...files, ...(has(told, 'remove-files') ? told.names : [])]
}

function awk(args: readonly Word[]): Targets {
  const told = readArguments(args, 'FvfieEl', [
    'assign',
    'field-separator',
    'file',
    'include',
    'source',
    'exec',
    'load',
  ])
  if (has(told, 'f', 'file', 'i', 'include', 'e', 'source', 'E', 'exec', 'l', 'load')) return ANYWHERE
  return isPlainAwk(told.names[0]) ? [] : ANYWHERE
}

/** `perl -pi -e s/a/b/ files`; anything beyond substitutions is a program. */
function inPlace(args: readonly Word[]): Targets {
  const told = readArguments(args, 'e')
  // What is joined to `-i` is the suffix of a copy.
  if (!args.some(arg => arg !== undefined && /^-[a-z0]*i/.test(arg))) return ANYWHERE
  const scripts = args.flatMap((arg, at) =>
    arg !== undefined && /^-[a-z0]*(i\.\w+)?e$/.test(arg) ? [args[at + 1]] : [],
  )
  const isPlain = scripts.length > 0 && scripts.every(isSubstitution)
  const files = args.filter(
    (arg, at) => !(arg?.startsWith('-') || (at > 0 && /^-[a-z0]*(i\.\w+)?e$/.test(args[at - 1] ?? ''))),
  )
  return isPlain && !has(told, 'M', 'I', 'r') ? files : [...files, undefined]
}
