/**
 * What functions of the C library write through pointers that they are given. Such a call is an assignment in the intermediate
 * form, which knows no pointers: `fgets(line, n, stdin)` gives `line` a value as `line = fgets(…)` would.
 */

/** One call that writes to an argument. */
export interface Writing {
  /** Which arguments are written; `rest` all from that one on. */
  to: number
  rest?: true
  /** What is written: an argument as it is, the text that a format and what follows it make, or what the call itself gives. */
  from: { argument: number } | { format: number } | 'call'
  /** It is added to what is there. */
  adds?: true
}

const COPY: Writing = { to: 0, from: { argument: 1 } }
const APPEND: Writing = { ...COPY, adds: true }

const WRITING: Record<string, Writing> = {
  ...named('strcpy strncpy strlcpy strscpy stpcpy stpncpy memcpy memmove mempcpy wcscpy wcsncpy wmemcpy lstrcpy', COPY),
  ...named('strcat strncat strlcat wcscat wcsncat lstrcat', APPEND),
  ...named('bcopy', { to: 1, from: { argument: 0 } }),
  ...named('sprintf vsprintf asprintf vasprintf wsprintf', { to: 0, from: { format: 1 } }),
  ...named('snprintf vsnprintf _snprintf scnprintf swprintf sprintf_s', { to: 0, from: { format: 2 } }),
  ...named('realpath', { to: 1, from: 'call' }),
  ...named('fgets fgetws gets fread getline getdelim', { to: 0, from: 'call' }),
  ...named('read pread recv recvfrom SSL_read readlink', { to: 1, from: 'call' }),
  ...named('BIO_read gnutls_record_recv', { to: 1, from: 'call' }),
  ...named('scanf wscanf', { to: 1, rest: true, from: 'call' }),
  ...named('fscanf', { to: 2, rest: true, from: 'call' }),
  ...named('sscanf', { to: 2, rest: true, from: { argument: 0 } }),
}

/** What the call writes to its arguments; undefined where it writes to none that is known. */
export function findWriting(name: string): Writing | undefined {
  return Object.hasOwn(WRITING, name) ? WRITING[name] : undefined
}

/** What the web server hands to a program that answers a request, in its environment (RFC 3875). */
const REQUEST_VARIABLE =
  /^(?:HTTP_\w+|QUERY_STRING|PATH_INFO|PATH_TRANSLATED|REQUEST_URI|CONTENT_TYPE|REMOTE_(?:HOST|IDENT|USER))$/

/** The name under which the model knows a call, which may depend on a fixed text or stream that it is given. */
export function nameCall(name: string, args: readonly string[]): string {
  if (/^(?:secure_)?getenv$/.test(name) && REQUEST_VARIABLE.test(args[0]?.replace(/^"|"$/g, '') ?? ''))
    return 'getenv_of_request'
  const stream = { fgets: 2, fgetws: 2, fread: 3, getline: 2, getdelim: 3, fscanf: 0 }[name]
  if (stream === undefined) return name
  // C++ has a getline of its own, which is given the stream first.
  if (name === 'getline' && /(?:^|::)cin$/.test(args[0] ?? '')) return 'read_from_user'
  return args[stream] === 'stdin' ? 'read_from_user' : name
}

function named(names: string, writing: Writing): Record<string, Writing> {
  return Object.fromEntries(names.split(' ').map(name => [name, writing]))
}
