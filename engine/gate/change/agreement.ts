import { compileGlob } from '../../base/text/glob.ts'
import type { Weakening } from './policy-rules.ts'

/** What the base of a change says of who may agree to weaker settings. */
export interface AgreementRules {
  /** `gate.trusted`. */
  trusted: readonly string[]
  /** `gate.protected_branch`. */
  isProtected: boolean
  /** What CODEOWNERS says, as `compileOwners` reads it. */
  owners?: (path: string) => readonly string[]
}

/** Who has agreed, as far as it was said from outside the change. */
export interface Agreeing {
  /** Reviewers that the pipeline names. */
  reviewed_by?: readonly string[]
  /** The person who commits sees what the commit weakens; the gate asks a reviewer later. */
  isCommitter?: boolean
}

/** Who or what agrees to a weakening, as the reason under which it is listed; undefined where nobody does. */
export function findAgreement(
  { file }: Pick<Weakening, 'file'>,
  { trusted, isProtected, owners }: AgreementRules,
  { reviewed_by = [], isCommitter }: Agreeing,
): string | undefined {
  if (isProtected) return 'gate.protected_branch of the base: reviews are enforced by the forge'
  const names = new Set([...trusted, ...(owners?.(file) ?? [])].map(plainName))
  const reviewer = reviewed_by.find(name => names.has(plainName(name)))
  if (reviewer !== undefined) return `Reviewed by ${reviewer}, a reviewer named in the base`
  return isCommitter ? 'Committed by a user; the gate requires a reviewer' : undefined
}

/**
 * Reads CODEOWNERS: the owners of a path by GitHub's rules, of which the last pattern that matches decides. A space in a pattern is
 * written with a backslash.
 */
export function compileOwners(text: string): (path: string) => readonly string[] {
  const rules = text.split(/\r?\n/).flatMap(line => {
    const written = line.replace(/(?<!\\)(?:^|\s)#.*$/, '').trim()
    // GitLab's section headings.
    if (written === '' || /^\^?\[/.test(written)) return []
    const [pattern, ...names] = written.match(/(?:\\.|\S)+/g)!
    return { matches: compilePattern(pattern!), names }
  })
  const known = new Map<string, readonly string[]>()
  return path => {
    const owners = known.get(path) ?? rules.findLast(({ matches }) => matches(path))?.names ?? []
    known.set(path, owners)
    return owners
  }
}

function compilePattern(pattern: string): (path: string) => boolean {
  const isAnchored = pattern.slice(0, -1).includes('/')
  const plain = pattern.replace(/^\/+/, '').replace(/\/+$/, '')
  if (pattern === '*' || plain === '**') return () => true
  const glob = isAnchored || pattern.startsWith('/') ? plain : `**/${plain}`
  const globs = pattern.endsWith('/') ? [] : [glob]
  // `docs/*` has the files in docs, and none that is nested further.
  if (pattern.endsWith('/') || !/(?:^|\/)\*$/.test(plain)) globs.push(`${glob}/**`)
  const compiled = globs.map(compileGlob)
  return path => compiled.some(matches => matches(path))
}

function plainName(name: string): string {
  return name.trim().replace(/^@/, '').toLowerCase()
}
