import { compileGlob } from '../../repository/glob.ts'
import type { Weakening } from './policy-rules.ts'

/** What the base of a change says of who may agree to weaker settings. */
export interface AgreementRules {
  /** `gate.trusted`. */
  trusted: readonly string[]
  /** `gate.protected_branch`. */
  isProtected: boolean
  /** The text of CODEOWNERS. */
  owners?: string
}

/** Who has agreed, as far as it was said from outside the change. */
export interface Agreeing {
  /** Reviewers that the pipeline names. */
  reviewed_by?: readonly string[]
  /** The person who commits sees what the commit weakens; the gate asks a reviewer later. */
  isCommitter?: boolean
}

/** Who or what agrees to a weakening, as the reason under which it is listed; undefined where nobody does. */
export function agreementTo(
  { file }: Pick<Weakening, 'file'>,
  { trusted, isProtected, owners }: AgreementRules,
  { reviewed_by = [], isCommitter }: Agreeing,
): string | undefined {
  if (isProtected) return 'gate.protected_branch of the base: reviews are enforced by the forge'
  const names = new Set([...trusted, ...(owners === undefined ? [] : ownersOf(owners, file))].map(plainName))
  const reviewer = reviewed_by.find(name => names.has(plainName(name)))
  if (reviewer !== undefined) return `Reviewed by ${reviewer}, whom the base names`
  return isCommitter ? 'Committed by a person; the gate asks a reviewer' : undefined
}

/** The owners of a path by GitHub's rules for CODEOWNERS: the last pattern that matches decides. */
export function ownersOf(text: string, path: string): string[] {
  let owners: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const [pattern, ...names] = line
      .replace(/(?:^|\s)#.*$/, '')
      .trim()
      .split(/\s+/)
    // GitLab's section headings.
    if (!pattern || /^\^?\[/.test(pattern)) continue
    if (matches(pattern, path)) owners = names
  }
  return owners
}

function matches(pattern: string, path: string): boolean {
  const isAnchored = pattern.slice(0, -1).includes('/')
  const plain = pattern.replace(/^\/+/, '').replace(/\/+$/, '')
  const glob = isAnchored || pattern.startsWith('/') ? plain : `**/${plain}`
  if (plain === '*' || plain === '**') return true
  if (!pattern.endsWith('/') && compileGlob(glob)(path)) return true
  return compileGlob(`${glob}/**`)(path)
}

function plainName(name: string): string {
  return name.trim().replace(/^@/, '').toLowerCase()
}
