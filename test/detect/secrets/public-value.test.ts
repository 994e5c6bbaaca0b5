import { describe, expect, it } from 'vitest'
import { findAnchors } from '../../../engine/detect/secrets/generic/anchors.ts'
import { runGeneric } from '../../../engine/detect/secrets/generic/run.ts'
import { value } from './made.ts'

const kindsOf = (text: string, language: string) =>
  runGeneric(text, findAnchors(text), language, false).map(({ kind }) => kind)
const KEY = `${value('{base64:43}', 'peer')}=`
const PASSWORD = value('{base62:14}', 'own')

/** A packet of OpenPGP in base64: its tag, a length of two bytes, the version, and what follows. */
const packet = (...head: number[]) =>
  `${Buffer.from([...head, ...Buffer.alloc(13, 7)])
    .toString('base64')
    .slice(0, 20)}${value('{base64:220}', 'pgp')}`

describe('a value that is public by what it is', () => {
  it.each([
    ['the identity of a peer', 'json', `{"key": "@${KEY}.ed25519"}`],
    ['the digest of a message', 'json', `{"secretKey": "%${KEY}.sha256"}`],
    ['the name of a signing key', 'ini', '[sign]\n  signingkey = ed25519:20210505\n'],
    ['a public key of OpenPGP', 'ini', `GPGKey=${packet(0x99, 1, 0xa2, 4, 0x48, 0x43)}\n`],
    ['a public key of OpenPGP in the new form', 'ini', `GPGKey=${packet(0xc6, 0xc0, 0x4d, 4, 0x48, 0x43)}\n`],
    [
      'the short form of a product’s name',
      'php',
      "$names = ['1Password' => '1password', '3D Printer' => '3d-printer'];\n",
    ],
    ['a value that does not matter', 'javascript', "const options = { port: 7900, secret: 'irrelevant' }\n"],
  ])('%s is no secret', (_, language, text) => {
    expect(kindsOf(text, language)).toEqual([])
  })

  it.each([
    [
      'a private key of a peer',
      'json',
      `{"private": "${value('{base64:86}', 'peer')}==.ed25519", "secretKey": "${value('{base64:86}', 'x')}==.ed25519"}`,
    ],
    ['a secret key of OpenPGP', 'ini', `GPGKey=${packet(0x95, 1, 0xa2, 4, 0x48, 0x43)}\n`],
    ['a key of the length of a public one', 'json', `{"secretKey": "${KEY}"}`],
  ])('%s is one', (_, language, text) => {
    expect(kindsOf(text, language)).not.toEqual([])
  })
})

describe('a number in an enumeration', () => {
  const row = (name: string, number: number) => `${name}=${number}`
  it('is no password, whatever its name', () => {
    const rows = ['gravity', 'ellipsize', 'password', 'singleLine', 'apiKey', 'hint'].map((name, index) =>
      row(name, 16843097 + index),
    )
    expect(kindsOf(rows.join('\n'), 'ini')).toEqual([])
  })

  it('does not hide a password of digits among settings', () => {
    expect(kindsOf(`port=33060\nuser=17\npassword=${168431 * 100}\ntimeout=86400\n`, 'ini')).toEqual(['password'])
  })
})

/** Half of a sign of two as itself, the other half as an escape. */
const ESCAPES = ['\\ud800', '\\\\udc00'].join('')

describe('a literal beside the name of a secret', () => {
  it.each([
    [
      'what a key of a registry is asked for',
      'cpp',
      'if (!ignoreport)\n  ignoreport = getNumber(rootkey, "ignoreport");\n',
    ],
    ['the user in an entry of a database of users', 'c', 'set_passwd("boba-fett", 1000);\n'],
    ['the name of a placeholder', 'javascript', "it('resets', () => { client.resetToken('uuid4', done) })\n"],
    ['the sign of a grammar', 'ruby', 'XREF_TOKEN = "startxref"\n'],
    ['a text of escapes', 'csharp', `AssertTokens("'${ESCAPES}'", JsonToken.Value(expected));\n`],
    [
      'a default that is refused',
      'javascript',
      `if (options.secret === '${'you should have'} a secret') {\n  log.error('WARNING: no secret provided')\n}\n`,
    ],
    [
      'a key that its maker gives to everybody',
      'php',
      `// Uses a public beta key with a low limit.\n// See the documentation.\n$apiKey = '${PASSWORD}';\n`,
    ],
    [
      'a line of base64',
      'csharp',
      `Join("b3RvMhh4IAEoBUIvCihjb20uZ29vZ2xlLnByb3RvYnVmX3Rlc3RfbWVzc2Fn",\n  "ZXMucHJvdG8ySAH4AQE=");\n`,
    ],
  ])('%s is no secret', (_, language, text) => {
    expect(kindsOf(text, language)).toEqual([])
  })

  it.each([
    ['a password that is set', 'c', `set_passwd("${PASSWORD}");\n`],
    ['a password with a cost', 'javascript', `hashPassword('${PASSWORD}', 10)\n`],
    ['a password that lets in', 'javascript', `if (body.password === '${PASSWORD}') {\n  session.admin = true\n}\n`],
    [
      'a password without which nobody is let in',
      'javascript',
      `if (body.password !== '${PASSWORD}') {\n  throw new Error('denied')\n}\n`,
    ],
    [
      'a key under a comment about something else',
      'php',
      `// The public API of the service.\n$apiKey = '${PASSWORD}${PASSWORD}';\n`,
    ],
    ['a token of an API', 'ruby', `API_TOKEN = "${value('{hex:32}', 'api')}"\n`],
  ])('%s is one', (_, language, text) => {
    expect(kindsOf(text, language)).not.toEqual([])
  })
})
