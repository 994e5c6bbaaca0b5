/**
 * What a sticky expression matches at the word of a preprocessor's directive, in the order of the text. It is found from the word, since lines
 * are everywhere; what stands in a match is none.
 */
export function* findDirectives(text: string, word: string, expression: RegExp): Iterable<RegExpExecArray> {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at)) {
    expression.lastIndex = at
    const found = isDirective(text, at) ? expression.exec(text) : null
    if (found) yield found
    at += found ? found[0].length : word.length
  }
}

/** Whether nothing but a hash stands in the line before a place. */
function isDirective(text: string, at: number): boolean {
  const hash = skipBack(text, at) - 1
  if (text[hash] !== '#') return false
  const start = skipBack(text, hash)
  return start === 0 || /[\n\r\u2028\u2029]/.test(text[start - 1]!)
}

function skipBack(text: string, from: number): number {
  let at = from
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--
  return at
}
