import { matchSticky } from './raw.ts'
import { STRING } from './reading.ts'
import type { Opener } from './scanner.ts'

/** Shell, Perl, HCL: `<<EOF`, `<<-EOF`, `<<~EOF`, `<<'EOF'`; not `<<<`, and not a shift: some later line must end it. */
export const scanHereDocument: Opener = (scanner, at) => {
  const { text } = scanner
  if (text[at + 1] !== '<' || text[at + 2] === '<' || text[at - 1] === '<') return -1
  const found = matchSticky(/<<([-~]?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([A-Za-z_][\w.-]*))/y, text, at)
  if (!found) return -1
  const after = at + found[0].length
  const id = (found[2] ?? found[3] ?? found[4])!
  return scanner.awaitHeredoc({ id, indented: found[1] !== '' }, after) ? after : -1
}

/** Ruby: `<<~ID`, `<<-ID`, `<<ID`; a bare name without a mark must begin with a capital, or it is `array <<item`. */
export const scanRubyHeredoc: Opener = (scanner, at) => {
  const { text } = scanner
  if (text[at + 1] !== '<') return -1
  const found = matchSticky(
    /<<(?:([-~])(?:(["'`])([^"'`\n]+)\2|([A-Za-z_]\w*))|(["'`])([^"'`\n]+)\5|([A-Z]\w*))/y,
    text,
    at,
  )
  if (!found) return -1
  const after = at + found[0].length
  const id = (found[3] ?? found[4] ?? found[6] ?? found[7])!
  return scanner.awaitHeredoc({ id, indented: found[1] !== undefined }, after) ? after : -1
}

/** PHP: `<<<ID`, `<<<"ID"` and the raw `<<<'ID'`; since PHP 7.3 the end may be indented and followed by more code. */
export const scanPhpHeredoc: Opener = (scanner, at) => {
  const { text } = scanner
  const found = matchSticky(/<<<[ \t]*(["']?)([A-Za-z_]\w*)\1\r?\n/y, text, at)
  if (!found) return -1
  const body = at + found[0].length
  const end = new RegExp(`^[ \\t]*${found[2]}(?!\\w)`, 'gm')
  end.lastIndex = body
  const close = end.exec(text)
  if (!close) {
    scanner.push(at, scanner.end, STRING)
    return scanner.end
  }
  const after = close.index + close[0].length
  scanner.push(at, after, STRING)
  return after
}
