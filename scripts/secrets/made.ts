import { sample } from '../../engine/detect/secrets/sample.ts'

/** A line written by rule, to show the model forms that the labelled packages have few of. Marked as made wherever it is counted. */
export interface Made {
  language: string
  text: string
  secret: boolean
}

/** Names as they stand in code: {n} snake case, {N} upper case, {c} camel case, {C} with a capital, {k} with hyphens. */
const CONTEXTS: [language: string, text: string][] = [
  ['python', '{n} = "{v}"'],
  ['python', "client = Client(host, {n}='{v}')"],
  ['python', 'config["{n}"] = "{v}"'],
  ['python', 'os.environ["{N}"] = "{v}"'],
  ['java', 'private static final String {N} = "{v}";'],
  ['java', 'props.setProperty("{n}", "{v}");'],
  ['java', 'account.set{C}("{v}");'],
  ['javascript', "const {c} = '{v}'"],
  ['javascript', "login({ user: 'bob', {c}: '{v}' })"],
  ['json', '{ "{c}": "{v}" }'],
  ['json', '  "{n}": "{v}",'],
  ['yaml', '{n}: {v}'],
  ['yaml', '  {n}: "{v}"'],
  ['properties', 'app.{n}={v}'],
  ['dotenv', '{N}={v}'],
  ['bash', 'export {N}="{v}"'],
  ['bash', 'tool --{k} {v} --verbose'],
  ['bash', 'tool --{k}={v}'],
  ['bash', 'curl "https://api.host.io/v1?{n}={v}&page=2"'],
  ['xml', '<{n}>{v}</{n}>'],
  ['xml', '<add key="{n}" value="{v}"/>'],
  ['ini', '{n} = {v}'],
  ['go', '{c} := "{v}"'],
  ['go', '\t{C}: "{v}",'],
  ['php', "'{n}' => '{v}',"],
  ['php', "define('{N}', '{v}');"],
  ['ruby', ":{n} => '{v}'"],
  ['c', 'const char *{n} = "{v}";'],
  ['c', '#define {N} "{v}"'],
  ['csharp', 'var {c} = "{v}";'],
  ['csharp', '"Server=db;Database=app;{C}={v};"'],
  ['markdown', '{n}: {v}'],
  ['python', '# {n}: {v}'],
  ['text', 'INFO connected with {n}={v} after retry'],
  ['kotlin', 'val {c} = "{v}"'],
  ['swift', 'let {c}: String = "{v}"'],
  ['terraform', '{n} = "{v}"'],
  ['terraform', 'variable "{n}" {\n  default = "{v}"\n}'],
  ['python', "parser.add_argument('--{k}', default='{v}')"],
  ['java', 'assertEquals("{v}", account.get{C}());'],
  ['javascript', "await page.fill('#{c}', '{v}')"],
  ['json', '"{n}s": ["{v}"]'],
  ['markdown', '- **{n}**: {v}'],
  ['python', "client.login('bob', '{v}')"],
  ['java', 'DriverManager.getConnection(url, "app", "{v}")'],
  ['java', 'new UsernamePasswordCredentials("carol", "{v}")'],
  ['csharp', 'new NetworkCredential("carol", "{v}")'],
  ['go', 'req.SetBasicAuth("carol", "{v}")'],
  ['python', "requests.get(url, auth=('carol', '{v}'))"],
  ['ruby', 'http.basic_auth "carol", "{v}"'],
  ['php', "new mysqli('db7', 'app', '{v}', 'shop')"],
  ['python', "User.objects.create_user('carol', 'carol@acme.io', '{v}')"],
  ['bash', 'curl -u carol:{v} https://acme.io'],
  ['python', '"host=db7 user=app {n}={v}"'],
  ['javascript', "if ({c} === '{v}') return"],
  ['yaml', 'DATABASE_URL: mysql://app:{v}@db7/shop'],
  ['java', 'user.set{C}("{v}");'],
  ['go', '{User: "carol", {C}: "{v}"},'],
  ['php', "$this->post('/login', ['email' => 'carol@acme.io', '{n}' => '{v}']);"],
]
const PASSWORDS = [
  'password',
  'db_password',
  'user_pass',
  'admin_pwd',
  'smtp_password',
  'passwd',
  'root_password',
  'passphrase',
  'mysql_pass',
]
const KEYS = [
  'secret',
  'client_secret',
  'api_key',
  'access_token',
  'auth_token',
  'token',
  'secret_key',
  'private_key',
  'encryption_key',
  'apikey',
  'aws_secret_access_key',
  'session_secret',
  'consumer_key',
  'bearer_token',
  'app_secret',
  'signing_key',
]
const SALTS = ['salt', 'password_salt', 'nonce', 'hash_salt']
const PASSWORD_VALUES = [
  '{lower:7-10}',
  '{lower:7-9}',
  '{alnum:8-12}',
  '{base62:8-14}',
  '{upper:1}{lower:6-8}{digits:1-4}',
  '{base62:7}{pick:!|@|#|$|%}{base62:2-4}',
  '{pick:dragon|winter|falcon|monkey|summer|banana|tiger|Berlin|October}{digits:2-4}{pick:|!|?|#}',
  '{digits:6-9}',
  '{lower:4}{pick:-|_|.}{alnum:5}',
  '{pick:P|p}@{pick:ss|55}w0rd{digits:1-3}',
  '{base64:16-20}',
  '{pick:porkchop|wombat|walrus|pelican|biscuit|rocket|teapot|gherkin|otter|pumpkin|kestrel|mango}',
  '{pick:blue|green|happy|sunny|old}{pick:monkey|dog|river|house|cat|horse}',
  '{pick:abc|xyz|foo|bob|tom|qwe}{digits:2-3}',
]
const KEY_VALUES = [
  '{hex:32}',
  '{hex:40}',
  '{hex:64}',
  '{base62:20-40}',
  '{base64:40}',
  '{base64:43}=',
  '{base64url:32-43}',
  '{ALNUM:20}',
  '{alnum:24-32}',
  '{uuid}',
  '{base62:16}',
  '{lower:16-20}',
  '{base58:24}',
]
const SALT_VALUES = ['{base62:8-22}', '{hex:16}', '{hex:32}', '{base64:16}', '{alnum:10-16}']
const OTHER_VALUES = [
  'userPassword',
  'getAccessToken',
  'accessTokenProvider',
  'user_password',
  'api_key_name',
  'auth.token.header',
  'app.user.password',
  'com.acme.security.Token',
  'Password',
  'Secret',
  'Token',
  'Enter your password',
  'Please enter a valid token',
  'Passwords do not match',
  'your_api_key_here',
  'your-token',
  'changeme',
  'xxxxxxxx',
  '********',
  'password',
  'secret',
  'test',
  'example',
  'foo',
  'dummy-token',
  'my_secret',
  'mysecret',
  'my-password',
  'test_password',
  'fake-token',
  '/etc/ssl/private/server.key',
  'config/master.key',
  'https://auth.host.io/oauth/token',
  'server.pem',
  'id_rsa.pub',
  'key.json',
  'disabled',
  'required',
  'simple',
  'bearer',
  'plaintext',
  'optional',
  'none-set',
  'sha256',
  'AES-256-GCM',
  'HS256',
  'bcrypt',
  'PBKDF2WithHmacSHA1',
  'RSA/ECB/PKCS1Padding',
  'x-api-key',
  'X-Auth-Token',
  'Authorization',
  'ACCESS_TOKEN',
  'DB_PASSWORD',
  'SECRET_KEY_BASE',
  '2023-10-11',
  '1.2.3',
  '3600',
  'utf-8',
  'application/json',
  'access_denied',
  'invalid_token',
  'token-expired',
  'PasswordResetForm',
  'password-reset',
  'password_hash',
  'Mot de passe',
  'Kennwort eingeben',
  'secret-name',
  'vault-secret',
  'kube-system/token',
  'session-key',
  'primaryKey',
  'string',
  'text-input',
  'login',
  'keystore.jks',
  'users',
  'identifier',
  'description',
  'callback',
  'facebook',
  'onChange',
  'default',
  'value',
  'token',
]

/** Passphrases, and what programs say in as many words. */
const PHRASES =
  '{pick:seven|green|quiet|brave|small|frozen} {pick:geese|lamps|rivers|candles|otters|spoons} {pick:sing|float|wander|melt|gather|sleep}{pick:| softly| at night| by the sea| again}'
const SAYINGS =
  '{pick:enter|type|choose|missing|invalid|wrong|repeat|please give} {pick:a new|the old|your|another|a valid} {pick:password|passphrase|secret key|login}{pick:| here| again| first| for this user}'
const PHRASE_CONTEXTS: [language: string, text: string][] = [
  ['python', '{n} = "{v}"'],
  ['java', 'String {c} = "{v}";'],
  ['javascript', "{ {c}: '{v}' }"],
  ['php', "'{n}' => '{v}',"],
  ['yaml', '{n}: "{v}"'],
  ['go', '{C}: "{v}",'],
]

/** Keys in use, and those of known answers, which stand beside what a cipher or a hash makes of them. */
const CIPHER_CONTEXTS: [language: string, secret: boolean, text: string][] = [
  ['javascript', true, "const box = { key: '{v}', iv: '{hex:24}' }"],
  ['python', true, 'AES_KEY = "{v}"\nAES_IV = "{hex:32}"'],
  ['yaml', true, 'encryption_key: {v}\nsigning_key: {hex:64}\nsession_key: {hex:64}'],
  ['go', true, '\tkey, _ := hex.DecodeString("{v}")\n\tblock, err := aes.NewCipher(key)'],
  ['go', false, '{\n\tkey: "{v}",\n\tnonce: "{hex:24}",\n\tinput: "{hex:64}",\n\toutput: "{hex:96}",\n}'],
  ['python', false, '{"key": "{v}", "iv": "{hex:24}", "pt": "{hex:32}", "ct": "{hex:32}"}'],
  ['rust', false, 'let key = "{v}";\nlet salt = "{hex:32}";\nlet expected_output = "{hex:64}";\nlet msg = "{hex:32}";'],
  ['text', false, 'Key = {v}\nNonce = {hex:24}\nPlaintext = {hex:32}\nCiphertext = {hex:32}\nTag = {hex:32}'],
]

/** Made lines: `count` of each verdict, the same for the same numbers, and some of several words. */
export function madeLines(count: number): Made[] {
  const out: Made[] = []
  const pick = <T>(items: readonly T[], seed: string): T =>
    items[Number.parseInt(sample('{hex:7}', seed), 16) % items.length]!
  for (let index = 0; index < count * 2; index++) {
    const secret = index % 2 === 0
    const seed = `made ${index}`
    const [language, context] = CONTEXTS[(index >> 1) % CONTEXTS.length]!
    const kind = pick(['password', 'password', 'key', 'key', 'salt'], `${seed} kind`)
    const name = pick(kind === 'password' ? PASSWORDS : kind === 'key' ? KEYS : SALTS, `${seed} name`)
    const values = kind === 'password' ? PASSWORD_VALUES : kind === 'key' ? KEY_VALUES : SALT_VALUES
    const value = sample(pick(secret ? values : OTHER_VALUES, `${seed} value`), `${seed} text`)
    out.push({ language, secret, text: fill(context, name, value) })
  }
  for (let index = 0; index < 60; index++) {
    const secret = index % 2 === 0
    const [language, context] = PHRASE_CONTEXTS[(index >> 1) % PHRASE_CONTEXTS.length]!
    const name = pick(['password', 'passphrase', 'db_password'], `phrase ${index} name`)
    const value = sample(secret ? PHRASES : SAYINGS, `phrase ${index} text`)
    out.push({ language, secret, text: fill(context, name, value) })
  }
  for (let index = 0; index < 160; index++) {
    const [language, secret, context] = CIPHER_CONTEXTS[index % CIPHER_CONTEXTS.length]!
    const value = sample('{pick:{hex:32}|{hex:48}|{hex:64}}', `cipher ${index} key`)
    out.push({
      language,
      secret,
      text: fill(sample(context.replaceAll('{v}', value), `cipher ${index}`), 'key', value),
    })
  }
  return out
}

function fill(context: string, name: string, value: string): string {
  const camel = name.replace(/_(.)/g, (_, char: string) => char.toUpperCase())
  return context
    .replaceAll('{n}', name)
    .replaceAll('{N}', name.toUpperCase())
    .replaceAll('{c}', camel)
    .replaceAll('{C}', camel[0]!.toUpperCase() + camel.slice(1))
    .replaceAll('{k}', name.replaceAll('_', '-'))
    .replaceAll('{v}', () => value)
}
