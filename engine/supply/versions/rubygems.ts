import { compareDigits, compareLists, compareText, isDigits, type VersionOrder } from './order.ts'

/** RubyGems' order (Gem::Version), which CocoaPods shares: a word makes a prerelease, and missing segments are 0. */
export const rubygems: VersionOrder<string[]> = {
  parse(version) {
    const text = version.trim().replace(/^v(?=[0-9])/, '')
    if (!/^[0-9]+(\.[0-9A-Za-z]+)*([-+][0-9A-Za-z.\-+]*)?$/.test(text)) return undefined
    return text.replaceAll('-', '.pre.').match(/[0-9]+|[A-Za-z]+/g) ?? undefined
  },
  compare: (first, second) => compareLists(first, second, compareSegments, segment => compareSegments(segment, '0')),
}

/** Words come before numbers. */
function compareSegments(first: string, second: string): number {
  const numbers = [isDigits(first), isDigits(second)]
  if (numbers[0] && numbers[1]) return compareDigits(first, second)
  if (numbers[0] !== numbers[1]) return numbers[0] ? 1 : -1
  return compareText(first, second)
}
