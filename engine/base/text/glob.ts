/** What a piece of a glob takes: one character of some kind, or any number of them. */
type Piece =
  | { many: false; takes: (code: number) => boolean }
  /** `*` stops at a slash, `**` does not; `deep` before a slash takes whole folders only. */
  | { many: true; slashes: boolean; folders: boolean }

const SLASH = 47
/** More alternatives than this are not unfolded; the braces then stand for themselves. */
const MOST_ALTERNATIVES = 128
/** A set past this is taken for text, so that a glob of brackets is read in time. */
const LONGEST_SET = 200

/**
 * Whether a path matches a glob, in time linear to both however the glob is written: `*` and `?` stay inside a folder,
 * `**` crosses folders (`a/**` has all below a, `**` before a slash may stand for no folder), `[a-z]`, `[!a]`, `{a,b}`, and a
 * backslash takes a character its meaning. Names that begin with a dot are like any other. Globs come from files of the
 * scanned repository, and translated to an expression, one of forty characters can take minutes.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  const compiled = expandAlternatives(glob).map(matcherOf)
  return compiled.length === 1 ? compiled[0]! : path => matchesAny(compiled, path)
}

/** Whether one of the globs matches a path. A loop: `some` allocates a function for each path, which adds up over many zones. */
export function matchesAny(globs: readonly ((path: string) => boolean)[], path: string): boolean {
  for (const matches of globs) if (matches(path)) return true
  return false
}

/** The globs without alternatives that together take what the glob takes. */
export function expandAlternatives(glob: string): string[] {
  return unfold(glob, { left: MOST_ALTERNATIVES }) ?? [glob.replace(/[{}]/g, '\\$&')]
}

/** For a glob without alternatives. What a path must begin with, end with and have in it is looked at first: few have it. */
function matcherOf(glob: string): (path: string) => boolean {
  const [, end] = /^\*\*\/\*([^*?[\]\\{}/]+)$/.exec(glob) ?? []
  // `**` before a slash and `*` before the rest take whatever stands before it.
  if (end !== undefined) return path => path.endsWith(end)
  const pieces = piecesOf(glob)
  const { head, tail, longest } = getRequiredText(glob)
  return path =>
    path.endsWith(tail) &&
    path.startsWith(head) &&
    (longest === tail || path.includes(longest)) &&
    matches(pieces, path)
}

/** What every path that a glob without alternatives takes begins with, ends with and has in it; '' for nothing. */
export function getRequiredText(glob: string): { head: string; tail: string; longest: string } {
  // A slash beside stars may be theirs, and not in the path at all.
  const [head = '', ...rest] = glob.split(/[*?[\]\\{}]+/)
  const tail = rest.length === 0 ? head : rest.at(-1)!.replace(/^\//, '')
  // Between brackets, and behind a backslash, stands what is no text of the path.
  const inner = /[[\\]/.test(glob) ? [] : rest
  const longest = inner.map(run => run.replace(/^\//, '')).reduce((a, b) => (b.length > a.length ? b : a), tail)
  return { head, tail, longest }
}

/** The set of pieces that may be next, moved along the path. */
function matches(pieces: readonly Piece[], path: string): boolean {
  let now = new Uint8Array(pieces.length + 1)
  let next = new Uint8Array(pieces.length + 1)
  reach(pieces, now, 0, true)
  for (let i = 0; i < path.length; i++) {
    const code = path.charCodeAt(i)
    next.fill(0)
    for (let at = 0; at < pieces.length; at++) {
      if (now[at] === 0) continue
      const piece = pieces[at]!
      if (!piece.many) {
        if (piece.takes(code)) reach(pieces, next, at + 1, code === SLASH)
      } else if (piece.slashes || code !== SLASH) {
        next[at] = 1
        if (!piece.folders || code === SLASH) reach(pieces, next, at + 1, code === SLASH)
      }
    }
    ;[now, next] = [next, now]
  }
  return now[pieces.length] === 1
}

/** Marks a piece, and those behind it that may take nothing. */
function reach(pieces: readonly Piece[], set: Uint8Array, from: number, atFolder: boolean): void {
  for (let at = from; ; at++) {
    set[at] = 1
    const piece = pieces[at]
    if (piece === undefined || !piece.many || (piece.folders && !atFolder)) return
  }
}

function piecesOf(glob: string): Piece[] {
  const pieces: Piece[] = []
  const literal = (character: string) => {
    for (let i = 0; i < character.length; i++) {
      const own = character.charCodeAt(i)
      pieces.push({ many: false, takes: code => code === own })
    }
  }
  for (let i = 0; i < glob.length; ) {
    const character = glob[i]!
    const set = character === '[' ? setAt(glob, i) : undefined
    if (character === '*') {
      const stars = /^\*+/.exec(glob.slice(i))![0].length
      // As git has it, two stars cross folders only where they are a folder's whole name.
      const ends = i + stars === glob.length || glob[i + stars] === '/'
      const whole = stars > 1 && ends && (i === 0 || glob[i - 1] === '/')
      const folders = whole && glob[i + stars] === '/'
      pieces.push({ many: true, slashes: whole, folders })
      i += stars + (folders ? 1 : 0)
    } else if (character === '?') {
      pieces.push({ many: false, takes: code => code !== SLASH })
      i++
    } else if (set) {
      pieces.push({ many: false, takes: set.takes })
      i = set.end
    } else {
      const escaped = character === '\\' && i + 1 < glob.length
      literal(escaped ? glob[i + 1]! : character)
      i += escaped ? 2 : 1
    }
  }
  return pieces
}

/** POSIX classes, as they stand in sets; of ASCII only, as for git. */
const CLASSES: Record<string, RegExp> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  digit: /[0-9]/,
  lower: /[a-z]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[A-Fa-f0-9]/,
}

/** The set that begins at a `[`: `[a-z]`, `[!a]`, `[]a]`, `[[:alpha:]]`, with a backslash before what is meant as it stands. Undefined where it is never closed. */
function setAt(glob: string, start: number): { end: number; takes: (code: number) => boolean } | undefined {
  const negated = glob[start + 1] === '!' || glob[start + 1] === '^'
  const first = start + (negated ? 2 : 1)
  const ranges: [from: number, to: number][] = []
  const classes: RegExp[] = []
  for (let at = first; at < glob.length && at - start < LONGEST_SET; ) {
    if (glob[at] === ']' && at > first) {
      const within = (code: number) =>
        ranges.some(([from, to]) => code >= from && code <= to) ||
        classes.some(one => one.test(String.fromCharCode(code)))
      return { end: at + 1, takes: code => code !== SLASH && within(code) !== negated }
    }
    const named = /^\[:([a-z]+):\]/.exec(glob.slice(at, at + 12))
    const known = named && CLASSES[named[1]!]
    if (known) {
      classes.push(known)
      at += named[0].length
      continue
    }
    const from = memberAt(glob, at)
    const isRange = glob[from.end] === '-' && from.end + 1 < glob.length && glob[from.end + 1] !== ']'
    const to = isRange ? memberAt(glob, from.end + 1) : from
    ranges.push([from.code, to.code])
    at = to.end
  }
  return undefined
}

/** One character of a set, escaped or not. */
function memberAt(glob: string, at: number): { code: number; end: number } {
  const escaped = glob[at] === '\\' && at + 1 < glob.length ? 1 : 0
  return { code: glob.charCodeAt(at + escaped), end: at + escaped + 1 }
}

/** The globs that one with braces stands for; undefined where they are too many, as they are where more braces than that lie in or behind each other. */
function unfold(glob: string, budget: { left: number }, depth = 0): string[] | undefined {
  const inner = innermost(glob)
  if (!inner) return --budget.left < 0 ? undefined : [glob]
  if (depth === MOST_ALTERNATIVES) return undefined
  const out: string[] = []
  for (const choice of glob.slice(inner.start + 1, inner.end).split(',')) {
    const rest = unfold(glob.slice(0, inner.start) + choice + glob.slice(inner.end + 1), budget, depth + 1)
    if (!rest) return undefined
    out.push(...rest)
  }
  return out
}

/** The first pair of braces with a comma and no other brace between them. */
function innermost(glob: string): { start: number; end: number } | undefined {
  const BRACE = /[{}]/g
  let start = -1
  for (let found = BRACE.exec(glob); found; found = BRACE.exec(glob)) {
    const end = found.index
    if (found[0] === '{') start = glob[end - 1] === '\\' ? -1 : end
    else if (start !== -1 && glob.slice(start, end).includes(',')) return { start, end }
    else start = -1
  }
  return undefined
}

/** The path filter of a rule, by its `files` and `exclude_files` globs. */
export function filterPaths(rule: {
  files: readonly string[]
  exclude_files: readonly string[]
}): (path: string) => boolean {
  const included = rule.files.map(compileGlob)
  const excluded = rule.exclude_files.map(compileGlob)
  return path => (included.length === 0 || matchesAny(included, path)) && !matchesAny(excluded, path)
}
