/** What stands before a value that is open to everybody by design, whatever it looks like. */
const OPEN = [
  // The handshake of WebSocket: a nonce, no key.
  /sec-websocket-(?:key|accept)["']?\s{0,4}[:=,]\s{0,4}["']?$/i,
  // An image in a page, or a table that is shared by its address: whoever sees the page has it.
  /\.(?:svg|png|jpe?g|gif|webp)\?(?:[\w=%.-]{0,20}&(?:amp;)?)?token=$/i,
  /spreadsheets?\/\w{1,10}\?key=$/i,
  // A number by which a tool tells its requests apart.
  /postman-token["']?\s{0,4}[:=]\s{0,4}["']?$/i,
  // What a form or an address carries to be used once.
  /[?&]c?nonce=$/i,
  // What a client sends in the clear with each request that it signs.
  /\b(?:cnonce|oauth_nonce|nonce_mt)["'\\]{0,2}\]?\s{0,4}(?:[:=,]|=>)\s{0,4}(?:\\?["'])?(?:0x)?$/i,
]
const LONGEST = 40
/** What a server challenges with, and what it stands among. */
const NONCE = /\bnonce["'\\]{0,2}\]?\s{0,4}(?:[:=,]|=>)\s{0,4}(?:\\?["'])?$/i
const CHALLENGE =
  /\b(?:realm|qop|cnonce|opaque|ndigest|sip)\b|\bdigest[ _-](?:username|realm|auth)|www-auth|proxy-auth/i
const AROUND = 240
/** The address of a picture that shows how a build went. */
const BADGE = /\/\/img\.shields\.io\/[^\s"'()<>]{1,200}[?&]token=$/

/** Whether the text around `start` says that the value there is shown to everybody. */
export function isOpenValue(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - LONGEST), start)
  if (OPEN.some(form => form.test(before))) return true
  if (before.endsWith('token=') && BADGE.test(text.slice(Math.max(0, start - AROUND), start))) return true
  return NONCE.test(before) && CHALLENGE.test(text.slice(Math.max(0, start - AROUND), start + AROUND))
}

/**
 * Whether a value is prose: five words and more, with capitals, signs or long words in it; fewer ones where they end like a sentence or
 * are not English; a long run of letters that are written without spaces. Passphrases and mnemonics have short words in small letters.
 */
export function isProse(value: string): boolean {
  const text = value.trim()
  const spaces = text.split(/\s+/).length - 1
  if (spaces >= 4 && /[^a-z0-9 -]|[a-z]{9}/.test(text)) return true
  if (spaces >= 1 && !/\d/.test(text) && /^\p{Lu}/u.test(text) && /[\u00c0-\u024f]/.test(text)) return true
  if (spaces >= 2 && !/\d/.test(text) && /[^\x00-\x7f]|\w\.$/.test(text)) return true
  return /[\u3040-\u30ff\u4e00-\u9fff]{6}/.test(text) && text.length >= 10
}

/**
 * Whether a value only tells to put another one in its place, or that it does not matter, and is nothing else: `changeme`, `CHANGE_ME!`,
 * `please-change-this`, `your_token_here`, `irrelevant`.
 */
export function isInvitation(value: string): boolean {
  const text = value.trim()
  return (
    /^(?:irrelevant|un-?used|ignored|not[ _-]?(?:used|needed|relevant)|does[ _-]?n[o']?t[ _-]?matter)[!.]?$/i.test(
      text,
    ) ||
    /^(?:please[ _-]?)?(?:change|replace)[ _-]?(?:me|this)[!.]?$/i.test(text) ||
    /^[\w -]{0,30}(?:password|passwd|secret|token|key)[ _-]?(?:goes[ _-]?)?here[!.]?$/i.test(text)
  )
}
