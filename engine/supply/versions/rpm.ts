import { compareDigits, compareLists, compareText, isDigits, type VersionOrder } from './order.ts'

interface RpmVersion {
  epoch: string
  version: string[]
  /** Undefined where there is no release: before every release. */
  release: string[] | undefined
}

/** The order of RPM (rpmvercmp), for Red Hat, Fedora, SUSE, Rocky, Alma and others. */
export const rpm: VersionOrder<RpmVersion> = {
  parse(version) {
    const [, epoch = '0', rest] = /^(?:([0-9]+):)?(\S+)$/.exec(version.trim()) ?? []
    if (rest === undefined) return undefined
    const dash = rest.indexOf('-')
    return {
      epoch,
      version: split(dash === -1 ? rest : rest.slice(0, dash)),
      release: dash === -1 ? undefined : split(rest.slice(dash + 1)),
    }
  },
  compare: (first, second) =>
    compareDigits(first.epoch, second.epoch) ||
    compareSegments(first.version, second.version) ||
    Number(first.release !== undefined) - Number(second.release !== undefined) ||
    compareSegments(first.release ?? [], second.release ?? []),
}

function split(text: string): string[] {
  return text.match(/~|\^|[0-9]+|[A-Za-z]+/g) ?? []
}

function compareSegments(first: readonly string[], second: readonly string[]): number {
  return compareLists(first, second, compareSegment, segment => rankSegment(segment) - END)
}

function compareSegment(first: string, second: string): number {
  const ranks = [rankSegment(first), rankSegment(second)]
  if (ranks[0] !== ranks[1]) return ranks[0]! - ranks[1]!
  return ranks[0] === NUMBER ? compareDigits(first, second) : compareText(first, second)
}

const END = 1
const NUMBER = 4

/** `~` < end < `^` < letters < digits */
function rankSegment(segment: string): number {
  if (segment === '~') return 0
  if (segment === '^') return 2
  return isDigits(segment) ? NUMBER : 3
}
