/** A text as the words that count when licenses are compared. */
export interface Words {
  words: string[]
  /** The line of each word, counted from 1. */
  lines: Uint32Array
}

/** Longer texts are compared up to here: the longest license has a tenth of it. */
const MOST_CHARACTERS = 2_000_000

/** A line that says whose work it is: it differs from package to package, and is no part of the license. */
const COPYRIGHT =
  /^[^\p{L}\p{N}<[©]{0,20}(?:portions |modifications )?(?:copyright\b|©|\(c\))[\s,:]*(?:(?:\(c\)|©|&copy;|copyright)\s*[\d<[{A-Z]|[\d<[{©])/iu

/** Splits a text into lower-case words, without punctuation, comment signs, markup and copyright lines. */
export function splitWords(text: string): Words {
  const words: string[] = []
  const lines: number[] = []
  const plain = text.length > MOST_CHARACTERS ? text.slice(0, MOST_CHARACTERS) : text
  const isMarkup = /<(?:html|body|p|br|div|center)\b/i.test(plain.slice(0, 20_000))
  let line = 0
  for (const written of plain.split('\n')) {
    line++
    if (COPYRIGHT.test(written)) continue
    let content = isMarkup ? written.replace(/<\/?[a-z][^<>]{0,200}>/gi, ' ').replace(/&[a-z]{2,6};/gi, ' ') : written
    if (/[’‘]/.test(content)) content = content.replace(/[’‘]/g, "'")
    for (const [word] of content.matchAll(/[\p{L}\p{N}]+|(?<=\d)\+/gu)) {
      words.push(word === '+' ? 'plus' : (SPELLINGS.get(word.toLowerCase()) ?? word.toLowerCase()))
      lines.push(line)
    }
  }
  return { words, lines: Uint32Array.from(lines) }
}

/** Spellings that SPDX's guidelines take for the same word. */
const SPELLINGS = new Map(
  Object.entries({
    licence: 'license',
    licences: 'licenses',
    licenced: 'licensed',
    sublicence: 'sublicense',
    acknowledgement: 'acknowledgment',
    acknowledgements: 'acknowledgments',
    favour: 'favor',
    honour: 'honor',
    analogue: 'analog',
    organisation: 'organization',
    organisations: 'organizations',
    whilst: 'while',
    wilful: 'willful',
    noncommercial: 'noncommercial',
    owner: 'holder',
    owners: 'holders',
    https: 'http',
  }),
)
