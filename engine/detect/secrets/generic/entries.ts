import { looksMade } from './shape.ts'
import { isWordAlone } from './told.ts'
import { readQuoted, type Value } from './value.ts'

const MOST = 40

/** The passwords of a table whose name says that they are some, each with the key that it stands under: `passwords = {"bob": "…"}`. */
export function readEntriesAt(text: string, name: string, end: number): { key: string; value: Value }[] {
  // Expressions are made only where they are come by: a commit hook waits for each.
  if (!'sS'.includes(name.at(-1)!)) return []
  if (/(?:pass(?:word|wd|phrase|code)?|pwd|kennw(?:o|oe)rt)s$/i.test(name)) {
    const found = tableAt(text, end)
    return found.length > 0 || !text.startsWith(':', end) ? found : blockAt(text, end)
  }
  if (/auth_?users$/i.test(name)) return text.startsWith(':', end) ? blockAt(text, end) : tableAt(text, end)
  if (!/(?:tokens|secrets|api_?keys)$/i.test(name)) return []
  const found = tableAt(text, end)
  return found.every(({ value }) => isKeyLike(value.text)) ? found : []
}

/** Whether a text may be a key or a token: long, and with digits among its letters. */
function isKeyLike(value: string): boolean {
  return (
    value.length >= 10 &&
    looksMade(value, false) &&
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !NO_PASSWORD.test(value)
  )
}

/** What a table of users is called where nothing says that it has their passwords. */
export const USER_STEMS = [
  ...['gin.accou', 'users.put(', 'accounts.put(', 'passwords.put(', 'logins.put('],
  ...['users = ', 'users=', 'users:', 'users := ', 'accounts = ', 'accounts: '],
] as const
const TABLES = ['users', 'accounts', 'passwords.', 'logins.', 'gin.a']
const NO_PASSWORD =
  /^(?:[\w.+-]+@[\w-]+\.[\w.-]+|[\d.:/+ -]+|v?\d+\.\d+\S*|[0-9a-f]{8}-[0-9a-f-]{27}|.*[/:]\S*|[A-Z]{2}\d{14,30})$/i

/** The passwords of a table of users, where each that it has looks made up: `USERS = {"bob": "…", "amy": "…"}`. */
export function readUsers(text: string, at: number): { key: string; value: Value }[] {
  // Few of the anchors are of users, and a hook asks this of each.
  const begin = text.slice(at, at + 10).toLowerCase()
  if (!TABLES.some(name => begin.startsWith(name))) return []
  const put = putAt(text, at)
  if (put.length > 0) return put
  const sure = /gin\.Accounts(?=\{)/y
  sure.lastIndex = at
  if (sure.test(text)) return tableAt(text, sure.lastIndex)
  const block = /(?<!\w)users(?=:\r?\n)/iy
  block.lastIndex = at
  if (block.test(text)) {
    const found = blockAt(text, block.lastIndex)
    return found.length > 0 && found.every(({ key, value }) => isLogin(key, value.text)) ? found : []
  }
  const named = /(?<!\w)(?:users|accounts)(?=[ \t]{0,4}(?::=|=|:))/iy
  named.lastIndex = at
  if (!named.test(text) || !/[{[(]/.test(text.slice(named.lastIndex, named.lastIndex + 40))) return []
  const found = tableAt(text, named.lastIndex)
  const isSure = /basic_?auth\(\{\s{0,20}$/i.test(text.slice(Math.max(0, at - 40), at))
  const isTable = found.length > 0 && (isSure || found.every(({ key, value }) => isLogin(key, value.text)))
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

/** What is put into a table of users: `users.put("bob", "…")`. */
function putAt(text: string, at: number): { key: string; value: Value }[] {
  const call = /(?:users|accounts|passwords|logins)\.put\((["'])([\w.@-]{2,40})\1,\s{0,4}(?=["'])/iy
  call.lastIndex = at
  const found = call.exec(text)
  const value = found && readQuoted(text, call.lastIndex)
  if (!value || text[value.after] !== ')' || !(isLogin(found[2]!, value.text) || isWordAlone(value.text))) return []
  return [{ key: found[2]!, value }]
}

/** The lines of a block of YAML that each give a name a text, where none gives anything else. */
function blockAt(text: string, end: number): { key: string; value: Value }[] {
  const out: { key: string; value: Value }[] = []
  const line =
    /:?[ \t]*\r?\n([ \t]{1,20})(["']?)([\w.@-]{1,60})\2:[ \t]{1,20}(["']?)([^\s"'#{}[\]&*!|>]{3,80})\4(?=[ \t]*(?:\r?\n|$))/y
  line.lastIndex = end
  let indent: string | undefined
  for (let found = line.exec(text); found && out.length < MOST; found = line.exec(text)) {
    indent ??= found[1]
    if (found[1] !== indent) break
    const after = line.lastIndex
    const stop = after - found[4]!.length
    out.push({
      key: found[3]!,
      value: { start: stop - found[5]!.length, end: stop, text: found[5]!, quote: found[4]!, wrapped: false, after },
    })
    line.lastIndex = after
  }
  // A line that is set in as far and gives nothing is another kind of table's.
  const next = /\r?\n([ \t]{0,20})\S/y
  next.lastIndex = out.at(-1)?.value.after ?? end
  return next.exec(text)?.[1] === indent ? [] : out
}

function tableAt(text: string, end: number): { key: string; value: Value }[] {
  const out: { key: string; value: Value }[] = []
  const opening =
    /["'`]?\]?[ \t]{0,4}(?:(?:=>|:=|=|:)[ \t]{0,4}(?:new [\w<>, ]{1,40}|%|map\[string\]string)?(?:\{|array\(|\[)|(?<=Accounts)\{)\s{0,80}/y
  const keyed =
    /\s{0,80}(?:\{[ \t]{0,4})?(?:(["'])([^"'\n]{1,60})\1|([A-Za-z_]\w{0,40}))[ \t]{0,4}(?:=>|:|,)[ \t]{0,4}(?=["'])/y
  const closing = /[ \t]{0,4}\}?[ \t]{0,4},?/y
  opening.lastIndex = end
  if (!opening.test(text)) return out
  let at = opening.lastIndex
  while (out.length < MOST) {
    keyed.lastIndex = at
    const key = keyed.exec(text)
    const value = key && readQuoted(text, keyed.lastIndex)
    if (!value) return out
    out.push({ key: (key[2] ?? key[3])!, value })
    closing.lastIndex = value.after
    closing.test(text)
    at = closing.lastIndex
  }
  return out
}
