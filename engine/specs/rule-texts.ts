import type { WeaknessKind } from './weakness.ts'

/** Title, message and remediation per weakness, for every specification format. */
export const RULE_TEXTS: Readonly<
  Record<
    WeaknessKind,
    { title: string; message: string; severity: string; cwe: string[]; tags: string[]; remediation: string }
  >
> = {
  auth: {
    title: 'Missing authentication: API operation without a security scheme',
    message:
      'An attacker who reaches the API can call the operation without credentials, because its contract requires none.',
    severity: 'high',
    cwe: ['CWE-306'],
    tags: ['api', 'authentication'],
    remediation:
      'Declare a security scheme for the operation or the whole document, and enforce it in the code. If the operation is public by design, suppress the finding with the reason.',
  },
  'unbounded-string': {
    title: 'Uncontrolled resource consumption: string without a length limit',
    message: 'An attacker can send a string of any size and exhaust memory, time or storage.',
    severity: 'low',
    cwe: ['CWE-770'],
    tags: ['api', 'input-validation'],
    remediation:
      'Limit the length (`maxLength`) or the form (`pattern`, `enum`, `format`) of the string, and validate it in the code.',
  },
  'sensitive-field': {
    title: 'Information exposure: sensitive field in a response',
    message: 'An attacker who can call the operation or read a log or cache on the way learns the value.',
    severity: 'medium',
    cwe: ['CWE-200'],
    tags: ['api', 'privacy'],
    remediation:
      'Remove the field from the response, or mark it `writeOnly` if it is only received. If it must be sent, suppress the finding with the reason.',
  },
  'insecure-server': {
    title: 'Cleartext transmission: API server without encryption',
    message: 'An attacker on the network can read and change requests and responses, including credentials.',
    severity: 'high',
    cwe: ['CWE-319'],
    tags: ['api', 'transport'],
    remediation: 'Use only the encrypted protocol: https, wss, mqtts, amqps, kafka-secure.',
  },
  'path-parameter': {
    title: 'Improper input validation: path parameter without a pattern',
    message:
      'An attacker can put special characters into the path parameter and reach look-ups, file names and logs with them.',
    severity: 'medium',
    cwe: ['CWE-20'],
    tags: ['api', 'input-validation'],
    remediation:
      'Restrict the parameter with `pattern`, `format: uuid`, `enum` or at least `maxLength`, and validate it in the code.',
  },
}
