import { createHash, createPublicKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { formatVerifierKey } from '../../../engine/assure/notary/checkpoint.ts'
import { findAnchors } from '../../../engine/detect/secrets/generic/anchors.ts'
import { runGeneric } from '../../../engine/detect/secrets/generic/run.ts'
import { found, value } from './made.ts'

/** The values found in a file at a path, by their kinds. */
const kindsIn = (text: string, path: string, language = 'text') =>
  runGeneric(text, findAnchors(text), language, false, path).map(({ kind }) => kind)
const hex = (length: number, seed: string) => value(`{hex:${length}}`, seed)
const base64 = (length: number, seed: string) => value(`{base64:${length}}`, seed)

const PACKAGES = ['KeychainAccess', 'PasswordTextField', 'FBSDKLoginKit/Token', 'Alamofire', 'SSKeychain', 'AuthKit']
const FILES = ['main.js', 'login-token.js', 'reset_password.css', 'vendor.js', 'index.html', 'api-key.svg']

describe('a digest in a list', () => {
  it.each([
    ['Podfile.lock', 'text', `SPEC CHECKSUMS:\n${PACKAGES.map(name => `  ${name}: ${hex(40, name)}`).join('\n')}\n`],
    ['text', 'text', PACKAGES.map(name => `${name}: ${hex(40, name)}`).join('\n')],
    ['checksums.yml', 'yaml', PACKAGES.map(name => `${name.toLowerCase()}_token: ${hex(64, name)}`).join('\n')],
    ['assets.json', 'json', `{${FILES.map(name => `"js/${name}": "${hex(32, name)}"`).join(',\n')}}`],
    ['sri.json', 'json', `{${FILES.map(name => `"${name}Token": "sha384-${base64(64, name)}"`).join(',\n')}}`],
    ['i18n.lock', 'yaml', `checksums:\n${FILES.map(name => `  auth.password.${name}: ${hex(32, name)}`).join('\n')}`],
    ['pkg.nix', 'nix', FILES.map(name => `  apiTokenHash = "sha256-${base64(43, name)}=";`).join('\n')],
  ])('of %s is no secret', (path, language, text) => {
    expect(kindsIn(text, path, language)).toEqual([])
  })

  it('does not make digests of several keys of one length, each under the name of a secret', () => {
    const names = ['SESSION_SECRET', 'JWT_SECRET', 'API_TOKEN', 'ENCRYPTION_KEY', 'ADMIN_PASSWORD', 'CSRF_SECRET']
    const text = names.map(name => `${name}=${hex(64, name)}`).join('\n')
    expect(kindsIn(text, '.env', 'dotenv')).toHaveLength(names.length)
  })

  it('does not make one of a token beside commits that dependencies are pinned to', () => {
    const uses = FILES.map(name => `  - uses: acme/${name}@${hex(40, name)}`).join('\n')
    expect(kindsIn(`${uses}\n    with:\n      api_token: ${hex(40, 'token')}\n`, 'ci.yml', 'yaml')).toEqual(['token'])
  })

  it('does not make one of a key beside two ids of its length', () => {
    const text = `app_id: ${hex(32, 'a')}\norg: ${hex(32, 'b')}\napi_key: ${hex(32, 'c')}\n`
    expect(kindsIn(text, 'app.yaml', 'yaml')).toEqual(['key'])
  })
})

const BCRYPT = value('$2b$12${base62:53}')
const HASHES = {
  bcrypt: BCRYPT,
  'bcrypt of Django': `bcrypt_sha256$${BCRYPT}`,
  'MD5 crypt': value('$1${base62:8}${base62:22}'),
  'Apache MD5': value('$apr1${base62:8}${base62:22}'),
  'SHA-256 crypt': value('$5$rounds=5000${base62:16}${base62:43}'),
  'SHA-512 crypt': value('$6${base62:16}${base62:86}'),
  yescrypt: value('$y$j9T${base62:22}${base62:43}'),
  Argon2: value('$argon2id$v=19$m=65536,t=3,p=4${base62:22}${base62:43}'),
  scrypt: value('$scrypt$ln=16,r=8,p=1${base62:22}${base62:43}'),
  SSHA: `{SSHA}${value('{base62:32}')}`,
  'PBKDF2 of Django': value('pbkdf2_sha256$260000${base62:22}${base62:43}='),
  'PBKDF2 of Werkzeug': value('pbkdf2:sha256:260000${base62:16}${hex:64}'),
  'SCRAM of PostgreSQL': value('SCRAM-SHA-256$4096:{base62:22}==${base62:43}=:{base62:43}='),
}

describe('the hash of a password', () => {
  for (const [name, hash] of Object.entries(HASHES))
    it.each([
      ['yaml', `password: "${hash}"\n`],
      ['python', `password = '${hash}'\n`],
      ['json', `{"user": "amy", "password": "${hash}"}\n`],
      ['dotenv', `ADMIN_PASSWORD_HASH='${hash}'\n`],
      ['sql', `INSERT INTO users (name, password) VALUES ('amy', '${hash}');\n`],
    ])(`by ${name} is reported as one, in %s`, (language, text) => {
      expect(kindsIn(text, 'a', language)).toEqual(['password_hash', 'password'])
    })
})

describe('what is encrypted or wrapped', () => {
  it.each([
    [
      'SOPS',
      'yaml',
      `password: ENC[AES256_GCM,data:${base64(24, 'a')},iv:${base64(44, 'b')},tag:${base64(24, 'c')},type:str]`,
    ],
    ['eyaml', 'yaml', `db_password: ENC[PKCS7,${base64(200, 'a')}]`],
    ['Jasypt', 'properties', `db.password=ENC(${base64(44, 'a')})`],
    ['a SealedSecret', 'yaml', `kind: SealedSecret\nspec:\n  encryptedData:\n    password: Ag${base64(300, 'a')}\n`],
    ['Vault transit', 'yaml', `password: "vault:v1:${base64(60, 'a')}"`],
    ['Spring Cloud Config', 'yaml', `secret: "{cipher}${hex(96, 'a')}"`],
    ['AWS KMS', 'python', `db_password = "AQICAHh${base64(150, 'a')}"`],
    ['Fernet', 'python', `api_token = "gAAAAAB${value('{base64url:120}')}"`],
    ['OpenSSL', 'bash', `PASSWORD_FILE_KEY="U2FsdGVkX1${base64(60, 'a')}"`],
    ['a name', 'python', `encrypted_password = "${base64(64, 'a')}"`],
    ['a name behind it', 'dotenv', `DB_PASSWORD_ENCRYPTED=${base64(64, 'a')}`],
    ['Jenkins', 'xml', `<password>{AQAAABAAAA${base64(40, 'a')}=}</password>`],
  ])('by %s is no secret', (_, language, text) => {
    expect(kindsIn(text, 'a', language)).toEqual([])
  })

  it('does not include the key that encrypts', () => {
    expect(found(`encryption_key = "${base64(44, 'k')}"`, 'python')).toHaveLength(1)
  })
})

describe('the id of a key', () => {
  it.each([
    ['json', `{"private_key_id": "${hex(40, 'a')}"}`],
    ['yaml', `kms_key_id: "${value('{uuid}')}"`],
    ['hcl', `kms_master_key_id = "mrk-${hex(32, 'a')}"`],
    ['json', `{"keys": [{"kid": "${hex(40, 'a')}", "kty": "RSA"}]}`],
    ['yaml', `api_key_fingerprint: "${hex(64, 'a')}"`],
    ['yaml', `token_hash: ${hex(64, 'a')}`],
    ['yaml', `api_key_sha256: ${hex(64, 'a')}`],
    ['yaml', `signing_key_thumbprint: ${hex(40, 'a')}`],
    ['python', `API_KEY_ID = "${value('{base62:24}')}"`],
  ])('is no secret, in %s: %s', (language, text) => {
    expect(kindsIn(text, 'a', language)).toEqual([])
  })
})

describe('the name of an encoding', () => {
  it.each([
    "return createHash('sha256').update(secret).digest('base64')",
    "createHmac('sha256', key).update(apiToken).digest('hex')",
    "Buffer.from(clientSecret, 'base64url')",
  ])('in %s is no secret', text => {
    expect(kindsIn(text, 'sessions.ts', 'typescript')).toEqual([])
  })
})

describe('a line of digests, each behind what it is of', () => {
  const parts = (seed: string) => ['a', 'b', 'c'].map(part => hex(16, seed + part)).join('.')

  it('is no secret, whatever the files and functions are called', () => {
    const line = `1 ${hex(16, 'text')} c:src/auth/token.ts=${parts('x')} c:src/login.ts#resetPassword=${parts('y')}`
    expect(kindsIn(`  confirmed:\n    digest: ${line}\n`, 'requirements.yaml', 'yaml')).toEqual([])
  })

  it('does not hide a secret of another form, nor one under another key', () => {
    const secret = value('{base62:32}', 'z')
    expect(kindsIn(`digest: 1 src/auth.ts#password=${secret}\n`, 'r.yaml', 'yaml')).toHaveLength(1)
    expect(kindsIn(`note: src/auth.ts#password=${parts('x')}\n`, 'r.yaml', 'yaml')).toHaveLength(1)
  })
})

describe('the verifier key of signed notes', () => {
  const x = createHash('sha256').update('notary0').digest('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const key = formatVerifierKey('notary.example.org', publicKey)
  it.each([
    ['typescript', (value: string) => `export const NOTARY_KEY = "${value}"`],
    ['yaml', (value: string) => `env:\n  GUARD_NOTARY_KEY: ${value}`],
  ] as const)('is no secret in %s, and one whose hash is wrong is', (language, write) => {
    expect(kindsIn(write(key), 'a', language)).toEqual([])
    const other = formatVerifierKey('notary.example.com', publicKey).replace('.com+', '.org+')
    expect(kindsIn(write(other), 'a', language)).toEqual(['key'])
  })
})

describe('a file in base64', () => {
  const encoded = (bytes: readonly number[]) =>
    Buffer.concat([Buffer.from(bytes), Buffer.from(base64(300, 'file'), 'base64')]).toString('base64')
  const said = (text: string) => found(`const password = '${text}'`, 'typescript').map(one => one.value)

  it.each([
    ['a WebAssembly module', [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]],
    ['a PNG picture', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
    ['a WOFF2 font', [0x77, 0x4f, 0x46, 0x32]],
  ])('is no password where it begins as %s', (_, bytes) => {
    expect(said(encoded(bytes))).toEqual([])
  })

  it('is one where it begins as nothing that is known, or is as short as a password', () => {
    const [unknown, short] = [base64(44, 'unknown'), `AGFzbQEAAA${base64(20, 'short')}`]
    expect(said(unknown)).toEqual([unknown])
    expect(said(short)).toEqual([short])
  })
})
