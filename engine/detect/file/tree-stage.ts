import { countPart, type Part } from '../../base/spent.ts'
import type { Search, SearchedText, Trees } from '../rules/detector.ts'
import type { Followed, RawMatch } from '../rules/match.ts'
import { parseTrees } from '../syntax/between.ts'

/** What the search of a text's syntax came to, of which no more is parsed than its rules need. */
export interface TreeOutcome {
  matches: RawMatch[]
  /** Of the text, where it was parsed as a whole. */
  trees?: Trees
  followed?: Followed
  /** It was parsed, as a whole or in parts. */
  isParsed: boolean
}

/** Evaluates rules that asked for the syntax tree, each by the search of its detector. */
export function searchTrees(
  searched: SearchedText,
  chosen: readonly number[],
  searchOf: (rule: number) => Search,
  partOf: (rule: number) => Part,
): TreeOutcome {
  const outcome: TreeOutcome = { matches: [], isParsed: false }
  // Not by spreading: a text of one word repeated has more matches than a call has room for arguments.
  const take = (matches: readonly RawMatch[]) => {
    for (const match of matches) outcome.matches.push(match)
  }
  const treeOf = (rule: number) => searchOf(rule).tree!
  const whole: number[] = []
  for (const rule of chosen) {
    const found = countPart(partOf(rule), () => treeOf(rule).searchParts?.(rule))
    if (!found) whole.push(rule)
    else {
      outcome.isParsed = true
      take(found)
    }
  }
  // All are asked. Where none can find anything the file need not be parsed; rules that are off run beside others alone.
  const needed = whole.filter(
    rule => countPart(partOf(rule), () => treeOf(rule).needsTree(rule)) && !searched.rules.rules[rule]!.muted,
  )
  if (needed.length === 0) return outcome
  const { file, limits, code, tidy } = searched
  if (file.bytes.length > limits.max_parse_bytes) {
    const detail = `${file.bytes.length} bytes; files up to ${limits.max_parse_bytes} are parsed`
    for (const rule of whole) searched.fail(rule, 'too_large_to_parse', detail)
    return outcome
  }
  const trees = parseTrees(file.language, code, tidy)
  if ('reason' in trees) {
    for (const rule of whole) searched.fail(rule, trees.reason, trees.detail)
    return outcome
  }
  outcome.trees = trees
  outcome.isParsed = true
  const started = performance.now()
  for (const rule of whole) {
    if (performance.now() - started > limits.file_deadline_ms) searched.fail(rule, 'timed_out')
    else take(countPart(partOf(rule), () => treeOf(rule).searchTree(rule, trees)))
  }
  const followed = whole.map(rule => treeOf(rule).followed).find(each => each !== undefined)
  if (followed) outcome.followed = followed
  return outcome
}
