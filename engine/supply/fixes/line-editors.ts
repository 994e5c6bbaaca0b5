import {
  type EditResult,
  escapePattern,
  type ManifestEditor,
  raiseRequirement,
  replaceGroup,
  type Wanted,
} from './edit.ts'
import { maskCommentLines } from './mask.ts'

const CANNOT = (what: string) => ({ refusal: `the requirement ${what} names no version` })

/** Raises the group `value` of the first match; refuses a requirement without a version. */
function raise(text: string, pattern: RegExp, wanted: Wanted, several: (to: string) => string): EditResult {
  const match = pattern.exec(text)
  if (!match) return undefined
  const to = raiseRequirement(match[1]!, wanted.to, several)
  return to === undefined ? CANNOT(match[1]!) : replaceGroup(match, 1, to)
}

/** A Python name as it may be written: `-`, `_` and `.` are the same, and so are capitals. */
function pythonName(name: string): string {
  return name
    .split(/[-_.]+/)
    .map(escapePattern)
    .join('[-_.]+')
}

/** pip's requirements and constraints. */
export const requirements: ManifestEditor = {
  files: /(^|\/)([^/]*requirements[^/]*|constraints[^/]*)\.(txt|in)$/i,
  lockCommand: (_, { to, name }) => `pip install '${name}>=${to}'`,
  edit(text, wanted) {
    const name = pythonName(wanted.name)
    const line = new RegExp(
      `^[ \\t]*${name}[ \\t]*(?:\\[[^\\]\\n]*\\])?[ \\t]*((?:[<>=!~]=?=?[^;#\\s\\\\,]+[ \\t]*,?[ \\t]*)+)([^\\n]*)$`,
      'dim',
    ).exec(text)
    if (!line)
      return new RegExp(`^[ \\t]*${name}[ \\t]*(?:$|[;#\\[@])`, 'im').test(text) ? CANNOT(wanted.name) : undefined
    const rest = text.slice(line.index, line.index + line[0].length + 200)
    if (/^[^\n]*--hash|^[^\n]*\\\r?\n\s*--hash/.test(rest))
      return { refusal: 'the line has hashes, which pip-compile or uv must compute anew' }
    const old = line[1]!.trimEnd()
    const to = raiseRequirement(old, wanted.to, version => `>=${version}`)
    const start = line.indices![1]![0]
    return to === undefined ? CANNOT(old) : { start, end: start + old.length, text: to, from: old, to }
  },
  pin(text, { name, to }) {
    const end = text.length
    const gap = text === '' || text.endsWith('\n') ? '' : '\n'
    return { start: end, end, text: `${gap}${name}>=${to}\n`, from: '', to: `${name}>=${to}` }
  },
}

/** pyproject.toml: PEP 621 and PEP 735 lists, and Poetry's tables. */
export const pyproject: ManifestEditor = {
  files: /(^|\/)pyproject\.toml$/,
  lockCommand(files, { name }) {
    if (files.has('uv.lock')) return `uv lock --upgrade-package ${name}`
    if (files.has('pdm.lock')) return `pdm update ${name}`
    return files.has('poetry.lock') ? `poetry update ${name}` : 'pip install .'
  },
  edit(written, wanted) {
    const text = maskCommentLines(written, '#')
    const name = pythonName(wanted.name)
    const quoted = new RegExp(
      `["']${name}[ \\t]*(?:\\[[^\\]\\n]*\\])?[ \\t]*([<>=!~][^;"'\\n]*?)[ \\t]*(?:;[^"'\\n]*)?["'][ \\t]*(?:,|\\]|$)`,
      'dim',
    )
    const table = new RegExp(
      `^[ \\t]*["']?${name}["']?[ \\t]*=[ \\t]*(?:\\{[^\\n}]*version[ \\t]*=[ \\t]*)?["']([^"'\\n]+)["']`,
      'dim',
    )
    return raise(text, quoted, wanted, to => `>=${to}`) ?? raise(text, table, wanted, to => `>=${to}`)
  },
}

/** Pipfile: the tables of Poetry's form. */
export const pipfile: ManifestEditor = {
  files: /(^|\/)Pipfile$/,
  lockCommand: () => 'pipenv lock',
  edit(text, wanted) {
    const name = pythonName(wanted.name)
    return raise(
      text,
      new RegExp(
        `^[ \\t]*["']?${name}["']?[ \\t]*=[ \\t]*(?:\\{[^\\n}]*version[ \\t]*=[ \\t]*)?["']([^"'\\n]+)["']`,
        'dim',
      ),
      wanted,
      to => `>=${to}`,
    )
  },
}

/** Cargo.toml: `name = "1"`, `name = { version = "1" }` and `[dependencies.name]`. */
export const cargo: ManifestEditor = {
  files: /(^|\/)Cargo\.toml$/,
  lockCommand: (_, { name, to }) => `cargo update -p ${name} --precise ${to}`,
  edit(text, wanted) {
    const name = escapePattern(wanted.name)
    const inline = new RegExp(
      `^[ \\t]*"?${name}"?[ \\t]*=[ \\t]*(?:\\{[^\\n}]*\\bversion[ \\t]*=[ \\t]*)?"([^"\\n]+)"`,
      'dm',
    )
    const renamed = new RegExp(
      `^[^\\n=]+=[ \\t]*\\{(?=[^\\n}]*\\bpackage[ \\t]*=[ \\t]*"${name}")[^\\n}]*\\bversion[ \\t]*=[ \\t]*"([^"\\n]+)"`,
      'dm',
    )
    const table = new RegExp(
      `^\\[[^\\]\\n]*dependencies\\."?${name}"?\\][ \\t]*\\r?\\n(?:[^\\[\\n][^\\n]*\\n)*?[ \\t]*version[ \\t]*=[ \\t]*"([^"\\n]+)"`,
      'dm',
    )
    const several = (to: string) => to
    return (
      raise(text, inline, wanted, several) ??
      raise(text, renamed, wanted, several) ??
      raise(text, table, wanted, several)
    )
  },
}

/** go.mod: indirect modules stand in it too. */
export const go: ManifestEditor = {
  files: /(^|\/)go\.mod$/,
  lockCommand: () => 'go mod tidy',
  edit(written, wanted) {
    const text = maskCommentLines(written, '//')
    const name = escapePattern(wanted.name)
    // What is built is the replacement: the requirement that it replaces has no effect.
    const replacement = new RegExp(`=>[ \\t]*${name}[ \\t]+(v[^\\s]+)`, 'd').exec(text)
    if (replacement) return replaceGroup(replacement, 1, goVersion(wanted.to))
    const match = new RegExp(`^[ \\t]*(?:require[ \\t]+)?${name}[ \\t]+(v[^\\s]+)(?![^\\n]*=>)`, 'dm').exec(text)
    if (!match) return undefined
    return isReplaced(text, wanted.name)
      ? { refusal: `${wanted.name} is replaced by another module` }
      : replaceGroup(match, 1, goVersion(wanted.to))
  },
  pin(text, { name, to }) {
    if (isReplaced(maskCommentLines(text, '//'), name)) return { refusal: `${name} is replaced by another module` }
    const line = `require ${name} ${goVersion(to)} // indirect\n`
    const gap = text === '' || text.endsWith('\n') ? '' : '\n'
    return { start: text.length, end: text.length, text: gap + line, from: '', to: line.trim() }
  },
}

function isReplaced(text: string, name: string): boolean {
  return new RegExp(`^[ \\t]*(?:replace[ \\t]+)?${escapePattern(name)}(?:[ \\t]+v[^\\s]+)?[ \\t]*=>`, 'm').test(text)
}

function goVersion(version: string): string {
  return version.startsWith('v') ? version : `v${version}`
}

/** Gemfile and gemspec. */
export const gems: ManifestEditor = {
  files: /(^|\/)(Gemfile|gems\.rb|[^/]+\.gemspec)$/,
  lockCommand: (_, { name }) => `bundle update --conservative ${name}`,
  edit(text, wanted) {
    const name = escapePattern(wanted.name)
    const call = `^[^\\n#]*\\b(?:gem|add_(?:runtime_|development_)?dependency)[ \\t(]+["']${name}["'][ \\t]*,[ \\t]*`
    const several = new RegExp(`${call}(["'][^"'\\n]+["'](?:[ \\t]*,[ \\t]*["'][^"'\\n]+["'])+)`, 'dm').exec(text)
    if (several) return replaceGroup(several, 1, `'>= ${wanted.to}'`)
    const found = raise(text, new RegExp(`${call}["']([^"'\\n]+)["']`, 'dm'), wanted, to => `>= ${to}`)
    return (
      found ?? (new RegExp(`^[^\\n#]*\\bgem[ \\t(]+["']${name}["']`, 'm').test(text) ? CANNOT(wanted.name) : undefined)
    )
  },
}

/** pubspec.yaml. */
export const pub: ManifestEditor = {
  files: /(^|\/)pubspec\.yaml$/,
  lockCommand: () => 'dart pub get',
  edit: (text, wanted) =>
    raise(
      text,
      new RegExp(
        `^[ \\t]+${escapePattern(wanted.name)}:[ \\t]*["']?([^"'\\s#][^"'\\n#]*?)["']?[ \\t]*(?:#[^\\n]*)?$`,
        'dm',
      ),
      wanted,
      to => `^${to}`,
    ),
}

/** mix.exs. */
export const mix: ManifestEditor = {
  files: /(^|\/)mix\.exs$/,
  lockCommand: (_, { name }) => `mix deps.update ${name}`,
  edit: (text, wanted) =>
    raise(
      maskCommentLines(text, '#'),
      new RegExp(`\\{[ \\t]*:${escapePattern(wanted.name)}[ \\t]*,[ \\t]*"([^"\\n]+)"`, 'd'),
      wanted,
      to => `>= ${to}`,
    ),
}
