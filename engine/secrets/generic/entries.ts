import { looksMade } from './shape.ts'
import { quotedAt, type Value } from './value.ts'

const MOST = 40

/** The passwords of a table whose name says that they are some, each with the key that it stands under: `passwords = {"bob": "…"}`. */
export function entriesAt(text: string, name: string, end: number): { key: string; value: Value }[] {
  // Expressions are made only where they are come by: a commit hook waits for each.
  if (!'sS'.includes(name.at(-1)!) || !/(?:pass(?:word|wd|phrase|code)?|pwd|kennw(?:o|oe)rt)s$/i.test(name)) return []
  return tableAt(text, end)
}

/** What a table of users is called where nothing says that it has their passwords. */
export const USER_STEMS = ['users = ', 'users=', 'users: ', 'users := ', 'accounts = ', 'accounts: '] as const
const NO_PASSWORD =
  /^(?:[\w.+-]+@[\w-]+\.[\w.-]+|[\d.:/+ -]+|v?\d+\.\d+\S*|[0-9a-f]{8}-[0-9a-f-]{27}|.*[/:]\S*|[A-Z]{2}\d{14,30})$/i

/** The passwords of a table of users, where each that it has looks made up: `USERS = {"bob": "…", "amy": "…"}`. */
export function usersAt(text: string, at: number): { key: string; value: Value }[] {
  const named = /(?<!\w)(?:users|accounts)(?=[ \t]{0,4}(?::=|=|:))/iy
  named.lastIndex = at
  if (!named.test(text) || !/[{[(]/.test(text.slice(named.lastIndex, named.lastIndex + 40))) return []
  const found = tableAt(text, named.lastIndex)
  const isTable = found.length > 0 && found.every(({ key, value }) => isLogin(key, value.text))
  return isTable ? found : []
}

function isLogin(user: string, password: string): boolean {
  return (
    /^[\w.@-]{2,40}$/.test(user) &&
    !/^(?:id|uid|name|user|email|role|type|key|group|title)$/i.test(user) &&
    looksMade(password, false) &&
    /[A-Za-z]/.test(password) &&
    !NO_PASSWORD.test(password)
  )
}

function tableAt(text: string, end: number): { key: string; value: Value }[] {
  const out: { key: string; value: Value }[] = []
  const opening =
    /["'`]?\]?[ \t]{0,4}(?:=>|:=|=|:)[ \t]{0,4}(?:new [\w<>, ]{1,40}|%|map\[string\]string)?(?:\{|array\(|\[)\s{0,80}/y
  const keyed =
    /\s{0,80}(?:\{[ \t]{0,4})?(?:(["'])([^"'\n]{1,60})\1|([A-Za-z_]\w{0,40}))[ \t]{0,4}(?:=>|:|,)[ \t]{0,4}(?=["'])/y
  const closing = /[ \t]{0,4}\}?[ \t]{0,4},?/y
  opening.lastIndex = end
  if (!opening.test(text)) return out
  let at = opening.lastIndex
  while (out.length < MOST) {
    keyed.lastIndex = at
    const key = keyed.exec(text)
    const value = key && quotedAt(text, keyed.lastIndex)
    if (!value) return out
    out.push({ key: (key[2] ?? key[3])!, value })
    closing.lastIndex = value.after
    closing.test(text)
    at = closing.lastIndex
  }
  return out
}
