import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeOutput } from '../../base/disk/output-file.ts'
import { type EngineError, toEngineError } from '../../base/errors.ts'
import { formatCount } from '../../base/text/words.ts'
import { ProviderFailure } from '../providers/failure.ts'
import { TITLES } from '../providers/names.ts'
import type { CodeProvider, CommitCheck, PullRequest } from '../providers/provider.ts'
import { makeAnnotations } from './annotations.ts'
import { formatBody, formatComment, formatTitle } from './content.ts'
import { makeCommitMarker, makeGateMarker } from './marker.ts'
import { syncReview, upsertComment } from './post.ts'
import { planReview } from './review.ts'
import type { Subject } from './subject.ts'
import type { Target } from './target.ts'

/** What became of a decoration. */
export interface Decoration {
  provider: string
  pull_request?: number
  sha: string
  comment?: 'created' | 'updated' | 'unchanged' | 'newer'
  review?: { posted: number; resolved: number; refused: number }
  check?: { kind: 'check_run' | 'commit_status'; annotations: number; left_out: number }
  /** Where the Markdown was written instead, because the provider did not take it. */
  summary_file?: string
  /** Why something was not posted. */
  problems: string[]
}

/**
 * Posts the verdict: one comment with review comments on the lines, and a check or commit status. What the provider refuses, as for a pull
 * request of a fork, whose token is read-only, is written as a summary instead and said. Never throws for the provider.
 */
export async function decorate(
  target: Target,
  subject: Subject,
  { out, read }: { out: string; read: (file: string) => string | undefined },
): Promise<Decoration> {
  const result: Decoration = { provider: target.name, sha: subject.sha, problems: [] }
  let inline: ReadonlySet<string> = new Set()
  const { pull_request, provider } = target
  if (pull_request !== undefined) result.pull_request = pull_request
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      const failure = toEngineError(error)
      if (failure.code === 'INTERRUPTED' || failure.code === 'INTERNAL') throw error
      result.problems.push(describeProblem(what, failure, target))
    }
  }
  if (!provider) result.problems.push(target.problem ?? 'no provider')
  else {
    if (target.comments && pull_request !== undefined)
      await attempt('comment', async () => {
        const pull = await provider.readPullRequest(pull_request)
        await attempt('review comments', async () => {
          const reviewed = await postReview(provider, pull, subject, read)
          inline = reviewed.inline
          const { posted, resolved, refused } = reviewed
          result.review = { posted, resolved, refused }
        })
        const body = formatComment(subject, { inline })
        // Builds of two pushes may end in any order: the comment on the head stays.
        const isNewer = (there: string) =>
          pull.head_sha !== subject.sha && there.includes(makeCommitMarker(pull.head_sha))
        result.comment = await upsertComment(provider, pull_request, makeGateMarker(subject.project), body, isNewer)
        if (result.comment === 'newer')
          result.problems.push('The comment is about a newer commit and was left as it is.')
      })
    if (target.check)
      await attempt('check', async () => {
        const { check, left_out } = makeCheck(subject, inline)
        result.check = { ...(await provider.setCheck(check)), left_out }
      })
  }
  if (result.problems.length > 0) result.summary_file = writeSummary(subject, out, target)
  return result
}

async function postReview(
  provider: CodeProvider,
  pull: PullRequest,
  subject: Subject,
  read: (file: string) => string | undefined,
): Promise<Awaited<ReturnType<typeof syncReview>>> {
  // Lines of another commit than the one that was judged are other lines: only what is gone is resolved then.
  const isSame = pull.head_sha === subject.sha
  const lines = isSame ? await provider.listDiffLines(pull.number) : new Map<string, Set<number>>()
  const planned = planReview(subject, lines, read, provider.suggestions)
  if (!isSame) return { inline: new Set(), posted: 0, resolved: 0, refused: 0 }
  return syncReview(provider, pull, subject.project, planned)
}

function makeCheck(subject: Subject, inline: ReadonlySet<string>): { check: CommitCheck; left_out: number } {
  const { annotations, left_out } = makeAnnotations(subject.findings)
  const note = left_out > 0 ? `\n\n${formatCount(left_out, 'more finding')} without an annotation.` : ''
  return {
    check: {
      sha: subject.sha,
      name: `svc gate (${subject.project})`,
      passed: subject.decision.passed,
      title: formatTitle(subject),
      summary: formatBody(subject, { inline }) + note,
      annotations,
    },
    left_out,
  }
}

function describeProblem(what: string, failure: EngineError, target: Target): string {
  const isDenied =
    failure instanceof ProviderFailure && (failure.kind === 'forbidden' || failure.kind === 'unauthenticated')
  if (isDenied && target.is_fork)
    return `${TITLES[target.name]} took no ${what}: the token of a pull request from a fork is read-only.`
  return `${TITLES[target.name]} took no ${what}: ${failure.message}`
}

/** Writes the Markdown where the CI system shows it, else beside the reports; answers where. */
function writeSummary(subject: Subject, out: string, target: Target): string {
  const text = `${formatBody(subject, { inline: new Set() })}\n`
  const shown = target.summary_file
  if (shown)
    try {
      appendFileSync(shown, `${text}\n`)
      return shown
    } catch {
      // The other place is as good.
    }
  const file = join(out, 'decoration.md')
  writeOutput(file, text)
  return file
}
