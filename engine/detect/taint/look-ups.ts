/** Classes of sink for which a record that was looked up is clean: it holds what was stored, not what it was asked for by. */
export const LOOKED_UP = ['html', 'redirect', 'path', 'url', 'header', 'log', 'trust', 'object', 'regex']

/** What may well be made of the argument of a function whose name begins like that of a look-up. */
const MADE =
  /path|file|dir|folder|name|key|ur[li]|link|addr|host|location|target|route|query|sql|string|text|str$|html|markup|content|body|data|message|label|title|template|format|command|filter|param|header|cookie|input|form|value|arg|option|request|response|page|view|resource|stream|reader|writer|document|suffix|prefix|expression|pattern|class|module|logger/i

/**
 * Whether a function that cannot be seen looks something up, by its name: `getRealm(id)`, `FindUser(name)`,
 * `load_by_name(name)`, `try_auth(name, password)`. Not so what may be made of its argument, such as `getPath(name)`.
 */
export function looksUp(method: string): boolean {
  if (/^(?:try_?)?auth(?:enticate)?(?:_?user)?$/i.test(method)) return true
  const what = /^(?:get|find|load|fetch|look_?up|retrieve)_?(\w+)$/i.exec(method)?.[1]
  if (what === undefined) return false
  const thing = what.replace(/(?:^b|_b|B)y(?=[A-Z_]).*$/, '')
  return thing === '' || !MADE.test(thing)
}
