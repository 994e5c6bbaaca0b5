import { readQuoted, type Value } from './value.ts'

/** A constant that names an option which takes a secret, as `CLK1_OUT_PW4` does not. */
const OPTION_NAME =
  /^[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:PASSWORD|PASSWD|PASSPHRASE|PWD|SECRET|TOKEN|KEY|CREDENTIAL|BEARER)[A-Z0-9_]*$/

/** What a call sets an option to that a constant names: `setopt(curl, OPT_PASSWORD, "…")`; behind a user and a colon, where the option takes both. */
export function readOption(text: string, start: number, end: number, name: string): Value | undefined {
  if (text[end] !== ',' || !OPTION_NAME.test(name) || !/,[ \t]{0,4}$/.test(text.slice(Math.max(0, start - 5), start)))
    return undefined
  const last = /[ \t]{0,4},[ \t]{0,10}(?=["'][^"'\n]{3,100}["'][ \t]{0,4}\))/y
  last.lastIndex = end
  const value = last.test(text) ? readQuoted(text, last.lastIndex) : undefined
  const login = value && name.includes('USERPWD') ? /^[^:\s]{1,60}:(\S{3,})$/.exec(value.text) : null
  return login ? { ...value!, start: value!.end - login[1]!.length, text: login[1]! } : value
}

/** The password that is sent behind a user's name: `USER bob` and `PASS …`. */
export function readSent(text: string, start: number, end: number): Value | undefined {
  const sent = /[ \t]([^\s"'\\<>%$]{3,60})(?=\\[rn]|["']|\s|$)/y
  sent.lastIndex = end
  const found = sent.exec(text)
  // The user's name goes before it, in a transcript or in texts of a program.
  const user = /\bUSER[ \t]+[^\s"'\\]{1,60}[\s\S]{1,80}$/
  if (!found || !user.test(text.slice(Math.max(0, start - 160), start))) return undefined
  const from = end + found[0].length - found[1]!.length
  return {
    start: from,
    end: from + found[1]!.length,
    text: found[1]!,
    quote: '"',
    wrapped: false,
    after: sent.lastIndex,
  }
}
