import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import { parseDetector } from '../../../engine/sources/packs/detector-file.ts'
import { ROOT } from '../../root.ts'

const DETECTORS = join(ROOT, 'packs/secrets/detectors')
const LIMITS = { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 0 }

/** Every line of a file's own, in every notation in which keys are kept: `lines` are those of the armor, BEGIN and END included. */
const NOTATIONS: Record<string, (lines: string[]) => string> = {
  'as a file': lines => `${lines.join('\n')}\n`,
  'with CRLF': lines => `${lines.join('\r\n')}\r\n`,
  'with bare CR': lines => lines.join('\r'),
  'with a bare CR in the body': lines => `${lines.slice(0, 2).join('\n')}\r${lines.slice(2).join('\n')}\n`,
  'behind a shell comment': lines => lines.map(line => `# ${line}\n`).join(''),
  'behind a shell comment without a space': lines => lines.map(line => `#${line}\n`).join(''),
  'behind a line comment': lines => lines.map(line => `// ${line}\n`).join(''),
  'behind a line comment without a space': lines => lines.map(line => `//${line}\n`).join(''),
  'in a block comment': lines => `/*\n${lines.map(line => ` * ${line}\n`).join('')} */\n`,
  'behind a comment of SQL': lines => lines.map(line => `-- ${line}\n`).join(''),
  'behind a comment of a configuration': lines => lines.map(line => `; ${line}\n`).join(''),
  'quoted in a mail': lines => lines.map(line => `> ${line}\n`).join(''),
  'in a string with escapes': lines => `const key = "${lines.join('\\n')}\\n"\n`,
  'in a string with CRLF escapes': lines => `const key = "${lines.join('\\r\\n')}"\n`,
  'in JSON that stands in JSON': lines => JSON.stringify({ body: JSON.stringify({ key: lines.join('\n') }) }),
  'with escaped escapes in a settings file': lines => `KEY="${lines.join('\\\\n')}"\n`,
  'indented in YAML': lines => `tls:\n  key: |\n${lines.map(line => `    ${line}\n`).join('')}`,
  'as a list in YAML': lines => `key:\n${lines.map(line => `  - ${line}\n`).join('')}`,
  'one literal a line, joined by a plus behind': lines =>
    `key = ${lines.map(line => `"${line}\\n"`).join(' +\n  ')};\n`,
  'one literal a line, joined by a plus before': lines =>
    `key = ${lines.map(line => `"${line}\\n"`).join('\n    + ')};\n`,
  'one literal a line, side by side': lines =>
    `static const char key[] =\n${lines.map(line => `"${line}\\n"\n`).join('')};\n`,
  'one literal a line, joined by dots': lines => `$key = ${lines.map(line => `'${line}' . "\\n"`).join(' .\n')};\n`,
  'in a list of strings': lines => `[${lines.map(line => `\n  '${line}',`).join('')}\n].join('\\n')\n`,
  'with continued lines': lines => `key = "${lines.join('\\n\\\n')}"\n`,
  'with line ends of HTML': lines => `<input value="${lines.join('&#10;')}">`,
  'with hexadecimal line ends of XML': lines => `<key v="${lines.join('&#xD;&#xA;')}"/>`,
  'with breaks of HTML': lines => lines.join('<br>\n'),
  'percent-encoded line ends': lines => `key=${lines.join('%0A')}&x=1`,
}

/** The types of private keys, and the detector that names each. */
const KEYS: Record<string, { id: string; pem: () => string }> = {
  'PKCS #8': { id: 'secret-private-key', pem: () => made('rsa', 'pkcs8') },
  RSA: { id: 'secret-private-key-rsa', pem: () => made('rsa', 'pkcs1') },
  EC: { id: 'secret-private-key-ec', pem: () => made('ec', 'sec1') },
  DSA: { id: 'secret-private-key-dsa', pem: () => armored('DSA PRIVATE KEY', dsaBytes()) },
  OpenSSH: { id: 'secret-private-key-openssh', pem: () => armored('OPENSSH PRIVATE KEY', opensshBytes(), 70) },
  'PKCS #8 under a passphrase': { id: 'secret-private-key-encrypted', pem: () => made('rsa', 'pkcs8', true) },
  'RSA under a passphrase': { id: 'secret-private-key-encrypted', pem: () => made('rsa', 'pkcs1', true) },
  OpenPGP: { id: 'secret-private-key-pgp', pem: pgp },
}

let formats: RuleSet

beforeAll(async () => {
  const names = readdirSync(DETECTORS).filter(name => name.includes('private-key') && name.endsWith('.yaml'))
  const rules = await Promise.all(
    names.map(name => parseDetector(readFileSync(join(DETECTORS, name)), name, 'secrets')),
  )
  formats = new RuleSet(rules)
})

describe.each(Object.entries(KEYS))('a private key: %s', (_, { id, pem }) => {
  const lines = pem().trim().split('\n')

  it.each(Object.entries(NOTATIONS))('%s is one finding that spans it', (_name, write) => {
    const code = write(lines)
    const found = scan(code)
    expect(found.map(each => each.id)).toEqual([id])
    expect(found[0]!.span).toBe(spanOf(code))
  })
})

describe('two keys, one behind the other', () => {
  it.each(Object.entries(NOTATIONS).filter(([name]) => !/JSON/.test(name)))('%s are two findings', (_name, write) => {
    const code = write(made('rsa', 'pkcs8').trim().split('\n')) + write(made('ec', 'sec1').trim().split('\n'))
    expect(scan(code).map(({ id }) => id)).toEqual(['secret-private-key', 'secret-private-key-ec'])
  })

  it('the first of which is cut off, are found both where the first is long enough', () => {
    const first = made('rsa', 'pkcs8').trim().split('\n').slice(0, -3)
    const code = `${first.join('\n')}\n\n${made('rsa', 'pkcs8')}`
    expect(scan(code)).toHaveLength(2)
  })
})

describe('the base64 of a private key', () => {
  it.each(['PGP0', 'ENCRYPTED000', '++++', '////'])('may hold %s', part => {
    const key = Buffer.concat([dsaBytes().subarray(0, 240), Buffer.from(part, 'base64'), dsaBytes().subarray(240)])
    key.writeUInt16BE(key.length - 4, 2)
    const lines = armored('DSA PRIVATE KEY', key).trim().split('\n')
    expect(lines.join('')).toContain(part)
    for (const write of Object.values(NOTATIONS)) {
      expect(scan(write(lines)).map(({ id }) => id)).toEqual(['secret-private-key-dsa'])
    }
  })
})

describe('what is no private key', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const open = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim().split('\n')

  it.each(Object.entries(NOTATIONS))('a public key %s', (_name, write) => {
    expect(scan(write(open))).toEqual([])
  })

  it.each([
    ['an elided one', ['MIIEvQ...', '...']],
    [
      'prose between the marks',
      ['put the content of your key here, between these two lines, and nothing besides it, as it says'],
    ],
    ['stars', Array.from({ length: 4 }, () => '*'.repeat(64))],
    ['slashes', Array.from({ length: 40 }, () => '/'.repeat(64))],
    ['pluses', Array.from({ length: 40 }, () => '+'.repeat(64))],
    ['letters that repeat', Array.from({ length: 8 }, () => 'A'.repeat(64))],
  ])('%s', (_name, body) => {
    const lines = [`-----BEGIN ${'RSA '}PRIVATE KEY-----`, ...body, `-----END ${'RSA '}PRIVATE KEY-----`]
    for (const write of Object.values(NOTATIONS)) expect(scan(write(lines))).toEqual([])
  })
})

function scan(code: string): { id: string; span: string }[] {
  const file = { path: 'example', language: 'text', in_test: false, bytes: new TextEncoder().encode(code) }
  const own = scanFile(formats, file, LIMITS)
  const { matches, failures } = own
  expect(failures).toEqual([])
  return matches.map(({ rule, line, column, end_line, end_column }) => ({
    id: formats.rules[rule]!.id,
    span: code.slice(offset(code, line, column), offset(code, end_line, end_column)),
  }))
}

function spanOf(code: string): string {
  return /-----BEGIN [\s\S]*-----END [A-Z ]+-----/.exec(code)![0]
}

function offset(code: string, line: number, column: number): number {
  let start = 0
  for (let at = 1; at < line; at++) start = code.indexOf('\n', start) + 1
  return start + column - 1
}

function made(kind: 'rsa' | 'ec', type: 'pkcs1' | 'pkcs8' | 'sec1', locked = false): string {
  const { privateKey } =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 1024 })
      : generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const lock = locked ? { cipher: 'aes-128-cbc', passphrase: 'x' } : {}
  return privateKey.export({ type: type as 'pkcs8', format: 'pem', ...lock }).toString()
}

function armored(label: string, bytes: Uint8Array, width = 64): string {
  const body = Buffer.from(bytes)
    .toString('base64')
    .match(new RegExp(`.{1,${width}}`, 'g'))!
  return [`-----BEGIN ${label}-----`, ...body, `-----END ${label}-----`].join('\n')
}

/** A sequence of DER of the length that its header promises. */
function dsaBytes(): Uint8Array {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const noise = privateKey.export({ type: 'pkcs1', format: 'der' })
  return Buffer.concat([Buffer.from([0x30, 0x82, 0x01, 0xbb, 0x02, 0x01, 0x00]), noise.subarray(20, 20 + 0x1b8)])
}

function opensshBytes(): Uint8Array {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const noise = privateKey.export({ type: 'pkcs1', format: 'der' })
  return Buffer.concat([Buffer.from('openssh-key-v1\0\0\0\0\x04none'), noise.subarray(30, 430)])
}

/** The packet of a secret key, with the checksum of the armor behind it. */
function pgp(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const noise = privateKey.export({ type: 'pkcs1', format: 'der' })
  const body = Buffer.concat([Buffer.from([0x95, 0x01, 0xd8, 0x04]), noise.subarray(30, 430)])
  const lines = body.toString('base64').match(/.{1,64}/g)!
  const label = 'PGP PRIVATE KEY BLOCK'
  return [`-----BEGIN ${label}-----`, 'Version: GnuPG v2', '', ...lines, '=aB3d', `-----END ${label}-----`].join('\n')
}
