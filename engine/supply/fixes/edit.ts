/** A replacement of a span of a manifest. */
export interface ManifestEdit {
  /** Offsets in UTF-16 units, the end exclusive. */
  start: number
  end: number
  text: string
  /** What was there and is there now, for a person. */
  from: string
  to: string
}

/** What is to change: a package to at least a version. */
export interface Wanted {
  ecosystem: string
  name: string
  /** The version that is in use now. */
  version: string
  to: string
  /** Other versions of the package that are in use, which a change must leave as they are. */
  others?: readonly string[]
}

/** Why a manifest cannot be changed; undefined where it does not name the package. */
export type EditResult = ManifestEdit | { refusal: string } | undefined

/** Changes one kind of manifest. Pure: the text in, a replacement out. */
export interface ManifestEditor {
  /** Tests the file's name. */
  files: RegExp
  /** The command that renews the lock file after the change, for a person. */
  lockCommand(files: ReadonlySet<string>, wanted: Wanted): string
  /** Changes the declared version of a package. */
  edit(text: string, wanted: Wanted): EditResult
  /** Pins a package that is not declared; absent where the ecosystem has no way to. */
  pin?(text: string, wanted: Wanted, files: ReadonlySet<string>): EditResult
}

/** The replacement of the one group of a match: the expression needs the flag `d`. */
export function replaceGroup(match: RegExpExecArray, group: number, text: string): ManifestEdit | undefined {
  const span = match.indices?.[group]
  if (!span) return undefined
  return { start: span[0], end: span[1], text, from: match[group]!, to: text }
}

/** A name as a part of a regular expression. */
export function escapePattern(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

/**
 * A requirement raised to a version: the operator stays where it still means what it did (`^1.2.0` → `^1.2.5`); ranges of several parts become a
 * caret or, where the ecosystem has none, "at least". Undefined where the requirement names no version (`*`, `latest`, a path, a branch).
 */
export function raiseRequirement(requirement: string, to: string, several: (to: string) => string): string | undefined {
  const text = requirement.trim()
  const single = /^(\^|~>|~=|~|>=|===|==|=|v)?(\s*)v?[0-9][0-9A-Za-z.+_-]*$/.exec(text)
  if (single) return `${single[1] ?? ''}${single[2] ?? ''}${to}`
  if (/^[0-9<>=^~!, .A-Za-z|*+_-]+$/.test(text) && /[0-9]/.test(text) && /[<>=^~|,*]|\.x/.test(text)) return several(to)
  return undefined
}
