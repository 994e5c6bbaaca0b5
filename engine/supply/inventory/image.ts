import type { Declaration } from './parsed.ts'
import { readDigest } from './resolved.ts'

/** A reference of a container image, `registry/name:tag@sha256:digest`. A tag is a version; without one it is `latest`, which is none. */
export function readImage(reference: string): Omit<Declaration, 'scope'> | undefined {
  const [, path, tag, digest] =
    /^([\w][\w./-]*?(?::\d+\/[\w./-]+)?)(?::([\w][\w.-]*))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(reference) ?? []
  if (path === undefined) return undefined
  const [first = '', ...rest] = path.split('/')
  const host = rest.length > 0 && /[.:]|^localhost$/.test(first) ? first : undefined
  const name = host === undefined ? path : rest.join('/')
  const version = digest ?? (tag === 'latest' ? undefined : tag)
  return {
    name,
    ...(version !== undefined && { version }),
    ...(tag !== undefined && { requirement: tag }),
    ...(host !== undefined && { qualifiers: { repository_url: host } }),
    ...(digest !== undefined &&
      tag !== undefined && { qualifiers: { ...(host !== undefined && { repository_url: host }), tag } }),
    hashes: readDigest(digest),
  }
}
