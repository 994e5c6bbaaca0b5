import { compareDigits, type VersionOrder } from './order.ts'

interface DebianVersion {
  epoch: string
  upstream: string
  revision: string
}

/** Debian's order, which Ubuntu shares: deb-version(7). */
export const debian: VersionOrder<DebianVersion> = {
  parse(version) {
    const [, epoch = '0', rest] = /^(?:([0-9]+):)?(\S+)$/.exec(version.trim()) ?? []
    if (rest === undefined) return undefined
    const dash = rest.lastIndexOf('-')
    return {
      epoch,
      upstream: dash === -1 ? rest : rest.slice(0, dash),
      revision: dash === -1 ? '' : rest.slice(dash + 1),
    }
  },
  compare: (first, second) =>
    compareDigits(first.epoch, second.epoch) ||
    comparePart(first.upstream, second.upstream) ||
    comparePart(first.revision, second.revision),
}

/** Compares runs without digits and runs of digits in turn. */
function comparePart(first: string, second: string): number {
  let a = 0
  let b = 0
  while (a < first.length || b < second.length) {
    while ((a < first.length && !isDigit(first, a)) || (b < second.length && !isDigit(second, b))) {
      const order = rankCharacter(first, a) - rankCharacter(second, b)
      if (order !== 0) return order
      a++
      b++
    }
    const starts = [a, b] as const
    while (isDigit(first, a)) a++
    while (isDigit(second, b)) b++
    const order = compareDigits(first.slice(starts[0], a) || '0', second.slice(starts[1], b) || '0')
    if (order !== 0) return order
  }
  return 0
}

/** `~` before the end of the part (and its digits), then letters, then everything else. */
function rankCharacter(text: string, at: number): number {
  if (at >= text.length || isDigit(text, at)) return 0
  const code = text.charCodeAt(at)
  if (text[at] === '~') return -1
  return /[A-Za-z]/.test(text[at]!) ? code : code + 0x10000
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}
