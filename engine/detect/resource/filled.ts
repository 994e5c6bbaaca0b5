/** An action of a template that stands alone in its line and gives text: `{{ toYaml .Values.resources | nindent 12 }}`. */
const INSERT = /^[ \t]*\{\{-?\s*(?!(?:if|else|end|range|with|define|block|break|continue)\b|\/\*|\$\w*\s*:?=)/gm

/** What a template language fills in between two places of a file. */
export interface Filled {
  /** Whether the file has blocks of a template language. */
  isTemplate: boolean
  /** Whether a line that gives text stands there. */
  isFilled(start: number, end: number): boolean
}

/** The lines of a file that a template fills in; `code` is the text without the template's blocks. */
export function findFilled(text: string, code: string): Filled {
  if (text === code) return { isTemplate: false, isFilled: () => false }
  const places = [...text.matchAll(INSERT)].map(({ index }) => index)
  return {
    isTemplate: true,
    isFilled(start, end) {
      // Blanked lines behind the last value belong to no node.
      let until = end
      while (until < code.length && /\s/.test(code[until]!)) until++
      let [low, high] = [0, places.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (places[middle]! < start) low = middle + 1
        else high = middle
      }
      return low < places.length && places[low]! < until
    },
  }
}

/** Whether a template language or a pipeline makes the text: a word that stands for a blanked block, `{{ … }}`, `${{ … }}`, `$(…)`. */
export function isExpression(text: string): boolean {
  return /\$_{2}|\{\{|^\$\([\w.]+\)$|<<\s?(?:pipeline\.)?parameters?\./.test(text)
}
