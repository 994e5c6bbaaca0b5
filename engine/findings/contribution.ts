import type { Context } from '../base/context.ts'
import type { FileMetrics } from '../base/records/file-metrics.ts'
import type { Finding } from '../base/records/finding.ts'
import type { NotEvaluated, Notice } from '../base/records/run.ts'
import type { Listing, SourceFile } from '../base/records/source-file.ts'
import type { Config } from '../sources/config/load.ts'

/** The scan that is contributed to. */
export interface ContributionRequest {
  config: Config
  /** The files of the scan; its root is where they lie. */
  listing: Listing
  /**
   * Files of the listing by their paths, those among them that `listing` leaves out since nothing was found in them the last time. A `name`, of its own for
   * what is wanted, has the answer kept for the next scan: only where it follows from the path, the program and the name alone.
   */
  selectFiles(wants: (path: string) => boolean, name?: string): SourceFile[]
  /** In words: `everything` where the listing is the whole repository, `staged`, or a part or change of it. */
  scope: string
  /** Nothing may be written and no program started. */
  dry_run: boolean
  /** Whether answers of before may be taken over where nothing has changed that they follow from; so where left out. */
  cache?: boolean
  /** What rules found and counted, once every file was searched; rejects where the scan ends before that. Only for contributors that need it: the others work meanwhile. */
  searched(): Promise<SearchedFiles>
}

/** What rules came to: findings before suppressions and the baseline, and the metrics of each file that was read. */
export interface SearchedFiles {
  findings: readonly Finding[]
  metricsOf(path: string): FileMetrics | undefined
}

/** What a contributor gives: judged with the findings of rules by baseline, suppressions and gate, and in every report and the history. */
export interface Contribution {
  findings: Finding[]
  /** What it could not look at, each by a rule's id or `<name>:*` for all of them: unknown, never clean. */
  notEvaluated: NotEvaluated[]
  notices: Notice[]
}

/**
 * A source of findings beside svc's rules: other scanners, and what is not told by the bytes of one file. A domain has one in its
 * contributor.ts, from which `npm run generate` makes the list; the file is loaded with every scan, so it imports what it works with when it
 * runs. Its findings have fingerprints of their own, which depend on nothing but the repository's content.
 */
export interface Contributor {
  /** A lower-case word: the domain. */
  name: string
  /** What its rules' ids begin with instead of its name, before the colon. */
  prefixes?: readonly string[]
  /** It needs the listing whole, without files left out since nothing was found in them the last time. */
  asksForEveryFile: boolean
  /**
   * Whether it looks at the working tree in other ways than by reading files of the listing (`readSource`) and settings below `.svc/`: it starts
   * programs there, or asks the disk what there is. Others need no checkout where the contents of files are known without one.
   */
  needsCheckout(request: Pick<ContributionRequest, 'config' | 'selectFiles'>): boolean | Promise<boolean>
  /** A fault in a settings file of its own (CONFIG_INVALID) ends the scan, as one in any other settings file does, rather than being a gap. */
  endsOnInvalidSettings?: true
  /** Whether it has anything to contribute under this configuration; cheap. */
  applies(config: Config, env: Context['env']): boolean
  /** Contributes to one scan, at the same time as rules search its files. A rejection makes `<name>:*` not evaluated and fails nothing else. */
  run(request: ContributionRequest, context: Pick<Context, 'cwd' | 'env' | 'signal' | 'surface'>): Promise<Contribution>
}
