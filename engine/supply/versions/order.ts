/**
 * How the versions of one ecosystem are ordered. `parse` makes a key once; comparing two keys costs far less than parsing.
 * A string that is no version of the ecosystem has no key: whether it lies in a range is unknown, never "no".
 */
export interface VersionOrder<Key = unknown> {
  /** The key of a version, undefined where the string is no version. Linear in the length of the string. */
  parse(version: string): Key | undefined
  /** Below 0 where the first version is the older one, 0 where both are equal, above 0 otherwise. */
  compare(first: Key, second: Key): number
}

/** Orders two numbers written in decimal digits, of any length; leading zeros do not count. */
export function compareDigits(first: string, second: string): number {
  const a = trimZeros(first)
  const b = trimZeros(second)
  return a.length - b.length || compareText(a, b)
}

/** Orders two strings by their UTF-16 code units; for ASCII that is the order of bytes. */
export function compareText(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0
}

/** Orders two lists element by element; where one is the beginning of the other, `rest` judges what the longer one still has. */
export function compareLists<T>(
  first: readonly T[],
  second: readonly T[],
  compare: (a: T, b: T) => number,
  compareToEnd: (element: T) => number,
): number {
  const shorter = Math.min(first.length, second.length)
  for (let i = 0; i < shorter; i++) {
    const order = compare(first[i]!, second[i]!)
    if (order !== 0) return order
  }
  if (first.length > shorter) return firstDifference(first, shorter, compareToEnd)
  return 0 - firstDifference(second, shorter, compareToEnd)
}

function firstDifference<T>(list: readonly T[], from: number, compareToEnd: (element: T) => number): number {
  for (let i = from; i < list.length; i++) {
    const order = compareToEnd(list[i]!)
    if (order !== 0) return order
  }
  return 0
}

/** Whether a string consists of ASCII digits, one at least. */
export function isDigits(text: string): boolean {
  return /^[0-9]+$/.test(text)
}

function trimZeros(digits: string): string {
  let at = 0
  while (at < digits.length - 1 && digits.charCodeAt(at) === 48) at++
  return at === 0 ? digits : digits.slice(at)
}
