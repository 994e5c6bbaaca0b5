import type { Finding } from './finding.ts'
import type { NotEvaluated, Notice } from './run.ts'

/** The verdict on the text of one file. */
export interface DocumentVerdict {
  /** What a scan of the repository would find in the file if it held the text; suppressed and baselined ones included. */
  findings: Finding[]
  /** Suppressions that do not hold. */
  notices: Notice[]
  /** Rules whose result is unknown. */
  not_evaluated: NotEvaluated[]
  /** Why the file was not scanned, or not by every rule; left out where it was. */
  state?: { reason: string; detail?: string }
}

/** What an editor shows of a rule. */
export interface RuleCard {
  id: string
  title: string
  remediation: string
  cwe: string[]
  /** The rule's page; left out where it has none. */
  href?: string
}

/** Judges texts of a repository's files that need not be on disk, one file at a time. */
export interface DocumentChecker {
  /** Absolute path of the repository's root, symlinks resolved. */
  readonly root: string
  /** Changes whenever settings, rules or the list of files did: verdicts from before no longer hold. */
  readonly generation: number
  /** Brings settings up to date with the disk; whether they had changed. Throws where they are broken. */
  refresh(path: string, signal: AbortSignal): Promise<boolean>
  /** Judges a text as if it stood at the path from the root. */
  check(path: string, text: string, signal: AbortSignal): Promise<DocumentVerdict>
  /** Reads settings, rules and the list of files anew before the next check. */
  reload(): void
  describe(rule_id: string): RuleCard | undefined
}

/** A file in the repository that judges it. */
export interface CheckedPlace {
  checker: DocumentChecker
  /** From the checker's root, with forward slashes. */
  path: string
}

/** The checkers of all repositories that a client has files of. */
export interface DocumentCheckers {
  /** The checker of an absolute path; `folder` is the client's folder around it, which counts where there is no repository. */
  find(file: string, folder?: string): CheckedPlace
  /** Closes all checkers but these. */
  keep(used: ReadonlySet<DocumentChecker>): void
}
