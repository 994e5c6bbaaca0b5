/** What a format may refer to instead of writing it out, by name: how people write a provider's name, a key's name and a value. */
const PARTS: Record<string, string> = {}

/*
 * These are tried at every mention of a provider, so they are written to fail early: what follows a repetition never begins with
 * what it repeats, and a run of space has one way to be matched. Classes are of ASCII, since others take long to compile; so do
 * repetitions up to three, which are compiled as often.
 */

/** One more setting between the provider's block and its key: `region = "eu"`, `'enabled' => true,`. */
const SETTING = String.raw`["':]?\w[\w"': =>./@-]{0,99}[,;\n]\s{0,24}`

/** From a block's name into the block: `acme: {`, `provider "acme" {`, `Acme::Client.new(`, `'acme' => [`, `[acme]`. */
const BLOCK = String.raw`(?:(?:["'\x60\]]{1,2}(?:\s"[\w-]{1,40}")?\s{0,4}|::[\w.]{1,32})?(?:=>|[:={(\[])(?:\s?[={(\[])?\s{0,24}|\]\s{1,8})(?:${SETTING}){0,4}`

/** From a host to a parameter of its query. */
const QUERY = String.raw`[\w./:-]{0,80}\?(?:[\w.%-]{1,40}=[!$%(-~]{0,80}&){0,4}[\w.-]{0,32}`

PARTS.between = String.raw`(?:[\w .-]{0,32}(?:${BLOCK}(?:\\{0,4}["'\x60]|[:$])?\w[\w .-]{0,31})?|${QUERY})`

PARTS.key = '(?<=key|token|secret|api|auth|access|passw(?:or)?d|credentials?|[ _.-]pat|bearer)'
PARTS.token = '(?<=token|api[ _.-]?key|[ _.-]pat)'
PARTS.secret = '(?<=secret(?:[ _.-]?(?:access[ _.-]?)?(?:key|token))?)'

/** What a name ends in after the word that says what it is: `_v2`, `Prod`, `_default`, the `S` of a list. */
const SUFFIX = String.raw`(?:[ _.-]?(?:v?\d{1,2}|prod(?:uction)?|live|dev(?:elopment)?|test(?:ing)?|stag(?:e|ing)|qa|eu|us|default|value|val|string|str|primary|secondary|main|old|new|current|backup)){0,4}s?(?![A-Za-z0-9])`

/** What declarations put between a name and its value. */
const TYPE = String.raw`(?:\s{0,2}:\s{0,2}&?(?:'\w{1,10}\s)?[A-Za-z][\w.<>?]{0,20}(?=\s{0,8}=)|\s[a-z]{3,8}(?=\s{1,4}=)|\s?\{\s?get;[\w; ]{0,24}\})?`

/** A block that gives the name its value further down: variables of Terraform, parameters of CloudFormation, names of Kubernetes. */
const DEFAULT = String.raw`[{:]\s{1,16}(?:(?:type|description|sensitive|nullable|noecho)\b[ -~]{0,100}\n[ \t]{0,24}){0,4}default\s{0,20}[:=]|\s{1,24}["']?value["']?\s{0,4}[:=]`

const ASSIGNED = String.raw`(?:=>|:=|\?=|\|\|=|={1,3}|\|\||\?\?|->|<-|${DEFAULT}|\)\s\{|%3D|[:,(>|]|\s(?:is\s)?|value=|,\s{0,40}\\?["']?value\\?["']?\s{0,2}[:=]|value:|</\w{3,10}>\s{0,40}<\w{3,10}>)`

/** What stands before a value's own quotes: `Some(`, `new String(`, `[`, `Bearer `, `live ? `, `f`, `@`. */
const OPENED = String.raw`(?:(?:new\s)?(?:[A-Za-z][\w.]{0,20})?[(\[]{1,2}\s{0,8}|[\w.]{1,30}\s\?\s)?(?:[bBrRuUfFL@$]{1,2}(?=["']))?(?:\\{0,4}["'\x60]){0,2}(?:(?:bearer|token|basic)\s{1,2})?`

PARTS.tie = String.raw`${SUFFIX}(?:\\{0,4}["'\x60\])]|\[\]){0,4}${TYPE}\s{0,8}${ASSIGNED}(?:\*{2})?\s{0,8}${OPENED}`

PARTS.end = String.raw`(?![\w-]|\.\w|\()`

/**
 * The format with every `(?&name)` written out. `between` leads from a provider's name to the last word of its key's name, over
 * blocks and queries; `key`, `token` and `secret` hold where such a word has just ended; `tie` leads from there to the value;
 * `end` holds where the value is over. A name that stands for nothing is left, and is then no regular expression.
 */
export function writeOut(format: string): string {
  return format.replace(/\(\?&(\w{1,20})\)/g, (call, name: string) =>
    Object.hasOwn(PARTS, name) ? PARTS[name]! : call,
  )
}
