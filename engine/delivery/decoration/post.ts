import { EngineError } from '../../base/errors.ts'
import { ProviderFailure } from '../providers/failure.ts'
import type { CodeProvider, PullRequest, PullRequestComment, ReviewComment } from '../providers/provider.ts'
import { readFindingMarker } from './marker.ts'
import type { PlannedComment } from './review.ts'

/** Tries of something that may have been carried out although no answer said so. */
const TRIES = 4

/**
 * Leaves exactly one comment with the marker on the pull request, with this body: the one that is there is edited, others of the marker are
 * deleted. One for which `isNewer` holds stays as it is. Where an answer was lost, the comments are listed again before anything is sent a second time.
 */
export async function upsertComment(
  provider: CodeProvider,
  number: number,
  marker: string,
  body: string,
  isNewer: (there: string) => boolean = () => false,
): Promise<'created' | 'updated' | 'unchanged' | 'newer'> {
  const listOwn = async () => (await provider.listComments(number)).filter(({ body: text }) => text.startsWith(marker))
  let result: 'created' | 'updated' | 'unchanged' = 'unchanged'
  for (let attempt = 1; ; attempt++) {
    try {
      let own = await listOwn()
      if (own.length === 0) {
        await provider.createComment(number, body)
        result = 'created'
        // Another run may have posted at the same time; one that was lost shows up here too.
        own = await listOwn()
      }
      const [kept, ...others] = own.sort(compareIds) as [PullRequestComment?, ...PullRequestComment[]]
      if (kept && isNewer(kept.body)) return 'newer'
      if (kept && normalize(kept.body) !== normalize(body)) {
        await provider.updateComment(number, kept.id, body)
        if (result === 'unchanged') result = 'updated'
      }
      for (const { id } of others) await ignoreMissing(() => provider.deleteComment(number, id))
      return result
    } catch (error) {
      if (!mayRetry(error) || attempt === TRIES) throw error
    }
  }
}

/** Posts review comments that are not there yet, and resolves those whose finding is gone. Answers the fingerprints that have one. */
export async function syncReview(
  provider: CodeProvider,
  pull: PullRequest,
  project: string,
  planned: readonly PlannedComment[],
): Promise<{ inline: Set<string>; posted: number; resolved: number; refused: number }> {
  const wanted = new Set(planned.map(({ fingerprint }) => fingerprint))
  const counts = { posted: 0, resolved: 0, refused: 0 }
  const refused = new Set<string>()
  for (let attempt = 1; ; attempt++) {
    try {
      const there = new Map<string, ReviewComment>()
      for (const comment of await provider.listReviewComments(pull.number)) {
        const fingerprint = readFindingMarker(project, comment.body)
        if (fingerprint === undefined || comment.resolved) continue
        if (!there.has(fingerprint) && wanted.has(fingerprint)) there.set(fingerprint, comment)
        else {
          // The finding is gone, or another comment is on it already.
          await provider.resolveReviewComment(pull.number, comment, resolvedBody(comment.body))
          counts.resolved++
        }
      }
      for (const comment of planned) {
        if (there.has(comment.fingerprint) || refused.has(comment.fingerprint)) continue
        try {
          await provider.createReviewComment(pull, comment)
          counts.posted++
          there.set(comment.fingerprint, { id: '', body: comment.body, path: comment.path, resolved: false })
        } catch (error) {
          // A line that the provider does not take; the finding is in the comment all the same.
          if (!(error instanceof ProviderFailure) || error.kind !== 'invalid') throw error
          refused.add(comment.fingerprint)
        }
      }
      return { inline: new Set(there.keys()), ...counts, refused: refused.size }
    } catch (error) {
      if (!mayRetry(error) || attempt === TRIES) throw error
    }
  }
}

function resolvedBody(body: string): string {
  return `✅ Resolved: the finding is gone.\n\n<details><summary>The finding</summary>\n\n${body.replace(/^(`{3,})suggestion$/m, '$1')}\n\n</details>`
}

/** Providers trim texts and may change line ends. */
function normalize(body: string): string {
  return body.replaceAll('\r\n', '\n').trim()
}

/** The oldest first: ids grow. */
function compareIds(a: PullRequestComment, b: PullRequestComment): number {
  return a.id.length - b.id.length || (a.id < b.id ? -1 : 1)
}

function mayRetry(error: unknown): boolean {
  return error instanceof ProviderFailure && (error.isAmbiguous || error.kind === 'conflict')
}

async function ignoreMissing(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'NOT_FOUND') throw error
  }
}
