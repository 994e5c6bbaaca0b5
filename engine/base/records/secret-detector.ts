/**
 * What a generic detector looks for; which of them a candidate belongs to is decided by the name it stands under. What is told by its
 * value or its file is reported as that, and the class of the name is an alias: the hash of a password, an example.
 */
export const GENERIC_CLASSES = [
  'password',
  'secret',
  'token',
  'key',
  'salt',
  'auth',
  'url',
  'password_hash',
  'example',
] as const
export type GenericClass = (typeof GENERIC_CLASSES)[number]

/** Checks by which a credential shows that it is one (engine/detect/secrets/checksums.ts). */
export const CHECKSUM_NAMES = ['github', 'jwt', 'pem', 'pypi', 'aws', 'luhn', 'basic', 'mnemonic'] as const
export type ChecksumName = (typeof CHECKSUM_NAMES)[number]

/** Condition on a provider's answer; every part that is given must hold. */
export interface Answer {
  /** One of these status codes. */
  status?: number[]
  /** The body contains this text. */
  body?: string
}

/**
 * How to ask a provider whether a credential is live. Texts are templates: `{secret}` and the format's other named groups stand
 * for what was matched, percent-encoded in `url`.
 */
export interface Verify {
  method: 'GET' | 'POST' | 'HEAD'
  url: string
  headers?: Record<string, string>
  /** HTTP basic authentication. */
  basic?: { user: string; password: string }
  body?: string
  live: Answer
  dead: Answer
}

/**
 * What a detector knows beyond what every rule has. Exactly one of `format` and `generic` is set. Plain data: it crosses
 * threads and is kept by digest.
 */
export interface Detector {
  provider: string
  /** A JavaScript regular expression (flags g, m, u; i where `ignore_case`) with a group named `secret`, and with shorthand (`writeOut`); every repetition is bounded. */
  format?: string
  ignore_case?: boolean
  /**
   * A private key between BEGIN and END lines with one of these labels, in whatever notation its lines stand (engine/detect/secrets/armor.ts);
   * `encrypted` ones are under a passphrase. The format is for keys that are cut off.
   */
  armor?: { labels: string[]; encrypted?: boolean }
  generic?: GenericClass
  /** Texts of which one is in every match of the format, found when the detector was read: the format is tried around them alone. */
  within?: string[]
  /** A match begins with one of them. */
  begins?: boolean
  /** Characters that a match of the format has at most. */
  longest?: number
  /** What a match holds on end at least, where that is enough to tell it from words. */
  least_run?: LeastRun
  /** Bits per character that the secret has at least (Shannon, over its own characters). */
  min_entropy?: number
  /** For formats that are no more than so many letters: one of the words stands at most `within` characters before or after, case ignored. */
  near?: { words: string[]; within: number }
  /**
   * What a genuine secret comes out right under: then it is certain. One that does not is reported with less confidence, since older
   * credentials have none and copies get cut off; with `require_checksum` it is no match.
   */
  checksum?: ChecksumName
  require_checksum?: boolean
  /** Confidence of a match, where neither checksum nor prefix make it certain. */
  confidence?: number
  verify?: Verify
}

/** What a match of a format holds on end at least. */
export interface LeastRun {
  /** Characters that are digits of base64 in either alphabet; LEAST_RUN or more. */
  length: number
  /** How many of these are letters and decimal digits on end. */
  plain: number
}
