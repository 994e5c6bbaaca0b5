/** Instructions that no honest tool or team gives to an assistant; each a constant number of steps for a character. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/<\/?\s*(important|system|secret|hidden|instructions?|admin)\s*>/i, 'a tag that poses as an instruction'],
  [
    /\b(do not|don't|never|without)\s+(tell|telling|inform|informing|mention|mentioning|notify|notifying|reveal|revealing|show|showing)\b[^.\n]{0,40}\buser\b/i,
    'something is kept from the user',
  ],
  [
    /\b(ignore|disregard|forget|override)\s+(all\s+|any\s+)?(the\s+|your\s+)?(previous|prior|above|earlier|system)\s+(instructions?|prompts?|rules|messages?)/i,
    'other instructions are to be ignored',
  ],
  [
    /\b(read|open|cat|load|include|attach|send|upload|copy)\b[^.\n]{0,60}(~\/\.ssh|id_rsa|id_ed25519|\.aws\/credentials|\.netrc|\/etc\/passwd|~\/\.cursor\/mcp\.json|~\/\.claude)/i,
    'a file with credentials is to be read',
  ],
  [
    /\b(send|upload|post|forward|exfiltrate|transmit)\b[^\n]{0,80}\bhttps?:\/\//i,
    'something is to be sent to an address',
  ],
  [/\b(curl|wget)\b[^\n|]{1,200}\|\s*(sudo\s+)?(ba|z|da)?sh\b/i, 'a download is piped to a shell'],
]
/** Before a quoted text: it is named, not said. */
const NAMING =
  /(such as|like|say|says|saying|e\.g\.,?|example:?|detects?|phrases?|block|blocks|reject|rejects|contains?)\s*$/i
const INVISIBLE =
  /[\u202A-\u202E\u2066-\u2069]|[\u200B\u2060\uFEFF]{2}|(?<![\u{1F3F4}\u{E0020}-\u{E007E}])[\u{E0020}-\u{E007E}]/u
/** A longer description of a tool hides what it says. */
const LONGEST = 8000

/** What is suspicious in a text that an assistant reads: reasons, each once. */
export function findSuspicious(text: string): string[] {
  const said = dropQuoted(text)
  const reasons = PATTERNS.flatMap(([pattern, reason]) => (pattern.test(said) ? [reason] : []))
  if (INVISIBLE.test(text.replace(/^\uFEFF/, ''))) reasons.push('invisible characters')
  return reasons
}

/** Whether a description is so long that nobody reads it. */
export function isOverlong(text: string): boolean {
  return text.length > LONGEST
}

/** Without texts in quotation marks that are named as an example. */
function dropQuoted(text: string): string {
  return text.replace(/(["“`])([^"“”`\n]{1,200})(["”`])/g, (whole, _open, _inner, _close, at: number) =>
    NAMING.test(text.slice(Math.max(0, at - 30), at)) ? '' : whole,
  )
}
