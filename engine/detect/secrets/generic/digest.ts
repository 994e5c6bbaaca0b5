import { classifyName } from './name.ts'

/** A digest that says of which algorithm it is: `sha512-…` (Subresource Integrity), `sha256:…`, `h1:…` (go.sum), `sha1=…`. */
const LABELLED =
  /^(?:sha(?:1|224|256|384|512)|md5|blake[23]b?|h1|zh)[-:=](?:[A-Za-z0-9+/_-]{27,88}={0,2}|[0-9a-f]{32,128})(?:\s+sha\d{3}-.{20,100})*$/i
/** Hexadecimal digits of MD5, SHA-1, SHA-224, SHA-256, SHA-384 and SHA-512; base64 of these; Nix's base32 of SHA-256. */
const HEX = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i
const BASE64 = /^(?:[A-Za-z0-9+/_-]{27}=?|[A-Za-z0-9+/_-]{43}=?|[A-Za-z0-9+/_-]{64}|[A-Za-z0-9+/_-]{86}(?:==)?)$/
const NIX = /^[0-9a-df-np-sv-z]{52}$/
/** A name that says of its value that it is a digest, or something by which a key or a token is known. */
const NAMED =
  /(?:hash(?:es)?|sha\d{0,3}(?:sum)?|md5(?:sum)?|checksum|digest|fingerprint|thumbprint|integrity|etag|revision|commit)$/i
/** What stands above or before a list of digests, in its own text or as the name of its file. */
const HEADING =
  /^[ \t"'[]{0,40}(?:[\w ]{1,20}[ _-])?(?:checksums?|digests?|hashes|integrity|sha\d{1,3}(?:sums?)?|md5(?:sums?)?)[ \t"'\]]{0,4}:?[ \t{[]{0,4}$/im
const FILE =
  /(?:checksums?|digests|hashes|sha\d{1,3}sums?|md5sums?|integrity)[^/]{0,20}$|\.(?:lock|sum|sha\d{1,3}|md5|sri)$|(?:^|\/)(?:go\.sum|[\w.-]*lock\.(?:json|ya?ml))$/i
/** A name with a path or a file's ending is that of a file or a package, whatever words are in it. */
const PATH = /[/\\]|\.[a-z]{1,5}$|^[A-Z][\w+]*-[\w+-]+$/
/** Digests side by side that make a list, where nothing else says so. */
const NEIGHBORS = 3
/** A commit that a dependency is pinned to, or a part of an address. */
const PINNED = /[@/#]$/
const REACH = 4000
/** Digests that stand together for one thing, as `<object>.<structure>`: each of at least 64 bits. */
const JOINED =
  /^(?:[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})(?:\.(?:[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})){1,3}$/
/** The key of a value that has digests of several things, each behind its name: `digest: 1 … src/token.ts=…`. */
const KEYED = /(?:^|[\s{,"'])[\w-]{0,20}(?:digests?|checksums?|integrity)["']?[ \t]{0,4}[:=][ \t]/i
const LINE = 4000

/**
 * Whether a value is a digest rather than a secret: it names its algorithm, its name says so, or it stands in a list of texts of the same
 * length under names that are none of secrets (Podfile.lock, checksums of a release, hashes of assets). Lists are known by these neighbors,
 * so that no file's name is needed; or it is of several digests behind the name of a file, in the value of a key that is named for digests; under a heading of checksums, or in a file that is named for them, a digest needs two.
 */
export function isDigest(
  text: string,
  { start, end, text: value, name }: { start: number; end: number; text: string; name: string },
  path = '',
): boolean {
  if (LABELLED.test(value)) return true
  if (JOINED.test(value) && isKeyed(text, start)) return true
  const form = [HEX, NIX, BASE64].find(each => each.test(value))
  if (!form) return false
  if (NAMED.test(name)) return true
  const { others, secrets } = countNeighbors(text, start, end, value.length, form)
  const before = text.slice(Math.max(0, start - REACH), start)
  const isHeaded = FILE.test(path) || HEADING.test(before)
  if (isHeaded && others + secrets >= 2) return true
  // Ids of clouds are as long as MD5, and so are their tokens.
  if (value.length <= 32 && !PATH.test(name)) return false
  return others >= NEIGHBORS && others >= secrets
}

/** Whether the line before a value begins with the key of digests. */
function isKeyed(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - LINE), start)
  return KEYED.test(before.slice(before.lastIndexOf('\n') + 1))
}

/** The other texts of the form and length around a value, by whether the name before them is one of a secret. */
function countNeighbors(
  text: string,
  start: number,
  end: number,
  length: number,
  form: RegExp,
): { others: number; secrets: number } {
  const from = Math.max(0, start - REACH)
  const window = text.slice(from, end + REACH)
  let others = 0
  let secrets = 0
  for (const found of window.matchAll(/[A-Za-z0-9+/_-]{22,128}={0,2}/g)) {
    const at = from + found.index
    if (at === start || found[0].length !== length || !form.test(found[0])) continue
    const line = text
      .slice(Math.max(0, at - 120), at)
      .split('\n')
      .at(-1)!
    if (PINNED.test(line)) continue
    const name = /([\w./\\@+ -]{1,100}?)["']?\s{0,4}(?:=>|[:=,])?\s{0,4}["']?$/.exec(line)?.[1]?.trim() ?? ''
    if (!PATH.test(name) && classifyName(name)) secrets++
    else others++
  }
  return { others, secrets }
}
