import type { WeaknessKind } from './weakness.ts'

/** What each rule says, whatever the format. */
export const RULE_TEXTS: Readonly<
  Record<
    WeaknessKind,
    { title: string; message: string; severity: string; cwe: string[]; tags: string[]; remediation: string }
  >
> = {
  auth: {
    title: 'An operation asks for no credentials',
    message: 'Whoever reaches the API can call the operation; nothing in its contract says who may.',
    severity: 'high',
    cwe: ['CWE-306'],
    tags: ['api', 'authentication'],
    remediation:
      'Name a security scheme for the operation or for the whole document, and have the code check it. Where the operation is meant for everybody, suppress this with the reason.',
  },
  'unbounded-string': {
    title: 'A text of any length is taken in',
    message:
      'A client can send a text as large as it likes, which costs memory and time and reaches whatever stores it.',
    severity: 'low',
    cwe: ['CWE-770'],
    tags: ['api', 'input-validation'],
    remediation:
      'Say how long it may be (`maxLength`), or what it looks like (`pattern`, `enum`, `format`), and have the code check it.',
  },
  'sensitive-field': {
    title: 'A field that is probably sensitive is sent out',
    message: 'Whoever may call the operation gets the value, and so does every log and cache on the way.',
    severity: 'medium',
    cwe: ['CWE-200'],
    tags: ['api', 'privacy'],
    remediation:
      'Leave the field out, or mark it `writeOnly` where it is only taken in. Where it must be sent, suppress this with the reason.',
  },
  'insecure-server': {
    title: 'The API is offered without encryption',
    message: 'Whoever is on the way between client and server reads and changes what they say, credentials included.',
    severity: 'high',
    cwe: ['CWE-319'],
    tags: ['api', 'transport'],
    remediation: 'Offer the encrypted protocol only: https, wss, mqtts, amqps, kafka-secure.',
  },
  'path-parameter': {
    title: 'A path parameter takes any text',
    message:
      'Text from the address goes into look-ups, file names and logs; without a form it can hold what these take for more than a name.',
    severity: 'medium',
    cwe: ['CWE-20'],
    tags: ['api', 'input-validation'],
    remediation:
      'Say what it looks like (`pattern`, `format: uuid`, `enum`) or at least how long it may be, and have the code check it.',
  },
}
