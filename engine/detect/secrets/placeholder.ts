/** Words that nobody has in a random credential, and everybody in one that stands for it. */
const STAND_IN =
  /example|placeholder|your|dummy|redacted|fake|change_?me|insert|replace|sample|xxxx|\*{3}|\.{3}|123456|foobar|deadbeef|token_here|<|\$\{|\{\{|%s/i

/**
 * Whether a text that has a credential's form is written to stand for one: a word that says so, one character six times on end,
 * or a run of six neighbours in the alphabet or among the digits. Random characters have none of them in a million cases.
 */
export function isStandIn(value: string): boolean {
  return (
    STAND_IN.test(value) ||
    measureLongestRun(value, 0) >= 6 ||
    measureLongestRun(value, 1) >= 6 ||
    measureLongestRun(value, -1) >= 7
  )
}

/** Length of the longest run in which each character is the one before plus `step`, letters' case ignored. */
export function measureLongestRun(value: string, step: number): number {
  let longest = value.length > 0 ? 1 : 0
  let run = 1
  for (let at = 1; at < value.length; at++) {
    const difference = folded(value.charCodeAt(at)) - folded(value.charCodeAt(at - 1))
    run = difference === step ? run + 1 : 1
    if (run > longest) longest = run
  }
  return longest
}

/** Shannon entropy of the value's own characters, bits per character. */
export function measureEntropy(value: string): number {
  const counts = new Map<string, number>()
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

function folded(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}
