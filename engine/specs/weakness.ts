/** What is looked for in specifications (spec "Import-spec rules generated"). */
export const WEAKNESS_KINDS = [
  'auth',
  'unbounded-string',
  'sensitive-field',
  'insecure-server',
  'path-parameter',
] as const
export type WeaknessKind = (typeof WEAKNESS_KINDS)[number]

/** A place in a specification that is weak. */
export interface Weakness {
  kind: WeaknessKind
  /** The keys that lead to the place. */
  path: string[]
  /** Whether the place is the key or the value. */
  part: 'key' | 'value'
  /** What is weak there, in a few words. */
  what: string
}

/** What should not leave a system, or not without care, as the words of a field's name. */
const SENSITIVE_WORDS = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'private key',
  'api key',
  'access token',
  'refresh token',
  'auth token',
  'session token',
  'ssn',
  'social security',
  'social security number',
  'credit card',
  'credit card number',
  'card number',
  'cvv',
  'cvc',
  'iban',
  'tax id',
  'passport',
  'passport number',
  'date of birth',
  'birth date',
  'dob',
  'pin',
]

const capital = (word: string) => `${word[0]!.toUpperCase()}${word.slice(1)}`
const either = (word: string) => `[${word[0]!.toUpperCase()}${word[0]}]${word.slice(1)}`
const spelled = (first: (word: string) => string) =>
  SENSITIVE_WORDS.map(words => {
    const [head, ...tail] = words.split(' ')
    return [first(head!), ...tail.map(either)].join('[_-]?')
  }).join('|')

/**
 * An expression for such a name, alone or as the last words of a longer one, in snake, kebab, camel or capital letters:
 * `pin` and `user_pin` and `userPin`, never `spin`. It means the same to JavaScript and to ast-grep, and has no anchors.
 */
export const SENSITIVE_NAME =
  `(?:(?:[A-Za-z0-9_-]*[_-])?(?:${spelled(either)}|${SENSITIVE_WORDS.map(words => words.toUpperCase().replaceAll(' ', '[_-]?')).join('|')})` +
  `|[A-Za-z0-9_-]*[a-z0-9](?:${spelled(capital)}))(?:[_-]?[Hh]ash|[_-]?[Vv]alue)?`

const sensitive = new RegExp(`^${SENSITIVE_NAME}$`, 'u')

/** Whether a field of this name probably holds something sensitive. */
export function isSensitive(name: string): boolean {
  return sensitive.test(name)
}
