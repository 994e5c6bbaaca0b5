/** One of `count` parts of a repository's files, from 1. */
export interface Shard {
  index: number
  count: number
}

/**
 * Variable that is 1 where whoever starts a shard has checked out settings alone, and has seen that git writes every other file as its object: the shard
 * then reads files that the sparse checkout leaves out from the objects.
 */
export const READS_OBJECTS = 'SVC_SHARD_READS_OBJECTS'

/**
 * Number of the shard, from 1, that a file belongs to. It depends on nothing but the path, so machines need not agree on
 * anything else, and a file stays in its shard, and its result in that shard's cache, whatever comes and goes beside it.
 */
export function assignShard(path: string, count: number): number {
  // FNV-1a over UTF-16 units, with the finish of MurmurHash3: neighbours in the alphabet are spread evenly.
  let hash = 0x811c9dc5
  for (let i = 0; i < path.length; i++) hash = Math.imul(hash ^ path.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (((hash ^ (hash >>> 16)) >>> 0) % count) + 1
}
