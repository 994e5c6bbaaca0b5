import { measureEntropy, measureLongestRun } from '../placeholder.ts'
import { measureSurprise } from './letters.ts'
import { toSet } from './word-set.ts'
import { WORDS } from './words.gen.ts'
import { splitName } from './words-of.ts'

/** Words that stand where a secret will stand, or that everybody takes for an example. */
const STAND_IN_WORDS = toSet(
  'password passwd pass pwd passphrase secret token key auth user username login name test testing tests tester example examples sample demo dummy fake foo bar baz qux quux foobar foobaz placeholder ' +
    'changeme change changeit replace replaceme replacement insert enter your yours my mine here value values string text none null nil undefined empty default blank todo tbd fixme xxx xxxx redacted hidden masked removed ' +
    'secure private public invalid valid wrong bad good right correct incorrect new old current first second third one two three another other some any something anything whatever nomatter doesntmatter matter admin administrator root guest ' +
    'true false yes no on off enabled disabled required optional unknown random generated basic bearer digest plain abc abcd abcdef def ghi xyz hello world wordpress mysql postgres postgresql oracle mongodb mariadb redis ldap ' +
    'thisisasecret mysecret mypassword mytoken mykey mypass yourpassword yourtoken yoursecret yourkey testpassword testpass testtoken testkey testsecret secretkey secretpassword apikey accesstoken somepassword sometoken somesecret minhasenha suasenha meinpasswort micontraseña monmotdepasse',
)
/** Such words run together, as `mysecret` and `newPassword1`. */
const STAND_IN_JOINED =
  /^(?:my|your|some|new|old|the|a|an|bad|wrong|good|top|very|user|admin|this[_-]?is(?:[_-]?an?|[_-]?my)?|not[_-]?an?)[_-]?(?:super|very|own|long|real)?[_-]?(?:password|passwd|secret|token|key|pass|pw|pwd|passphrase)(?:key|string|value|here)?\d{0,3}$/i
/** What it is, at the end of a word that says whose it is: `dbpassword`, `foopass`, `optionpassword`. */
const OF_WHAT =
  /^([a-z]{1,16}?)[_-]?(?:password|passwd|passphrase|pass|pwd|pw|secret|token)(?:here|value|string|text|\d{0,2})$/i

/** Whether a value is a word that stands in for a secret, run together from two that do or that programs use. */
function isJoinedStandIn(value: string): boolean {
  if (STAND_IN_JOINED.test(value)) return true
  const whose = OF_WHAT.exec(value)?.[1]
    ?.toLowerCase()
    .replace(/^(?:my|your|the|some|new|old)(?=[a-z]{2})/, '')
  return whose !== undefined && (STAND_IN_WORDS.has(whose) || isProgramWord(whose) || whose === 'my' || whose === 'the')
}
const TEMPLATE =
  /\$\{|\{\{|\}\}|<%|%>|\$\(|#\{|%\(|\{\d*\}|\{[a-z_.]{1,30}\}|\$\[|%[sdvq@](?![A-Za-z0-9])|__[A-Z_]{2,}__|\[\[|@@|\$\$|@[A-Za-z_]{3,40}@/
const REFERENCE =
  /^(?:\$[A-Za-z_(]|\$env:|%[A-Za-z_]+%$|env[.:(]|ENV\[|process\.env|os\.environ|System\.|vault:|hash:|pkcs11:|\w{2,8}kms:|ssm:|secretsmanager|arn:|file:|data\.|var\.|local\.|module\.|secrets?\.|self\.|this\.|config\.|settings\.|!|&|\*[a-z]|@[a-z]+[/:(]|~\/|\.\.?\/)/
const TYPES =
  /^(?:str|string|String|text|int|integer|number|bool|boolean|bytes?|char|object|any|None|null|NULL|nil|Nil|undefined|true|false|True|False|yes|no|void|varchar|Optional|list|dict|array|hash|float|double|uuid|date|file|path|password|secret|hidden|raw|plain|select|input|self|this|auto|none|NONE|empty|N\/A|n\/a|na|tbd|required|optional|already|never|always|default|prompt|ask|u?int\d{1,3}|bytes\d{1,2}|float\d\d|string\d{1,3}|uuid\d|publickey|hostbased|keyboard-interactive|pwd|OLDPWD|getpw(?:nam|uid|ent))[!?;,]?$/
/** What stands in a text that a secret was taken out of, or that it is still to come into. */
const TAKEN_OUT = /^[[(<*]{0,3}(?:redacted|sanitized|censored|omitted|scrubbed|tbd|tba|todo|fixme)[\])>*]{0,3}$/i
/** What other languages call a password: a label, and no password. */
const TRANSLATED = toSet(
  'geheimnis geheimwort secreto segredo segreto sekret hemlighet hemmelighed hemmelighet секрет tajemství titok parool heslo hasło haslo loyniorð kennwort passwort wachtwoord adgangskode kodeord lösenord losenord salasana senha contraseña contrasenya motdepasse parola sandi ' +
    'cyfrinair pasfhocal wagwoord passwuert пароля лозинка şifre sifre jelszó geslo lozinka zaporka šifra slaptažodis parole пароль парола лозинка шифра гасло 密码 密碼 口令 パスワード 비밀번호 암호 รหัสผ่าน mật passord lykilorð pasahitza fjalëkalimi კოდი κωδικός סיסמה',
)
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const URL_FORM = /^[a-z][a-z0-9+.-]{1,20}:\/\/|^www\.|^mailto:/i
const DATE = /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|^\d{1,2}:\d{2}/
const WALK = /qwert|asdf|zxcv|qazwsx|wsxedc|1qaz|2wsx|yuiop|hjkl|poiuy|12345|98765|1q2w/i
const FILE_NAME =
  /\.(?:pem|crt|cer|key|p12|pfx|jks|txt|json|ya?ml|xml|conf|cfg|ini|html?|php|js|ts|py|rb|java|c|h|md|png|svg|gif|jpg|css|sh|log|db|pub|gpg|asc|properties|lock|csr|der|dat|bin|so|dll|exe|zip|tar|gz|tmpl|tpl|j2|erb)$/i
const DOMAIN =
  /^(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|gov|edu|local|example|test|invalid|de|uk|eu|info|co)(?:[:/].*)?$/i

let programWords: Set<string> | undefined

/** Whether programs have this word between quotes again and again. */
export function isProgramWord(word: string): boolean {
  programWords ??= new Set(WORDS.split(' '))
  return programWords.has(word)
}

/** What a value looks like, by itself and beside its name: the raw material of the model's features. */
export interface Shape {
  length: number
  digits: number
  upper: number
  lower: number
  special: number
  classes: number
  entropy: number
  /** Bits a letter, 3.6 (that of middling words) where there are too few letters to say. */
  surprise: number
  /** The letters are words, or too few to say otherwise. */
  words: number
  spaces: number
  hex: boolean
  base64: boolean
  uuid: boolean
  template: boolean
  reference: boolean
  type: boolean
  url: boolean
  path: boolean
  file: boolean
  date: boolean
  number: boolean
  walk: boolean
  /** Longest run of one character, and of neighbours. */
  repeat: number
  sequence: number
  /** An identifier of several words, as `user.password`, `getPassword` or `SECRET_KEY`. */
  identifier: boolean
  dotted: boolean
  standIn: boolean
  /** Share of its words that are stand-ins. */
  standInShare: number
  /** Share of its words that programs have between quotes again and again. */
  vocabulary: number
  sameAsName: boolean
  containsName: boolean
  sentence: boolean
  markup: boolean
  foreign: boolean
}

export function describeShape(value: string, name: string): Shape {
  const { length } = value
  let digits = 0
  let upper = 0
  let lower = 0
  let foreign = 0
  for (let at = 0; at < length; at++) {
    const code = value.charCodeAt(at)
    if (code >= 48 && code <= 57) digits++
    else if (code >= 65 && code <= 90) upper++
    else if (code >= 97 && code <= 122) lower++
    else if (code >= 128) foreign++
  }
  const special = length - digits - upper - lower - foreign
  const words = splitName(value).map(word => word.replace(/\d+$/, '') || word)
  const standIns = words.filter(word => STAND_IN_WORDS.has(word))
  const lettersShare = (upper + lower) / Math.max(1, length)
  const folded = value.toLowerCase().replace(/[^a-z0-9]/g, '')
  const foldedName = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  const bits = measureSurprise(value) ?? 3.6
  const spaces = (value.match(/\s+/g) ?? []).length
  const hex = /^(?:0x)?[0-9a-fA-F]+$/.test(value) && digits > 0
  return {
    length,
    digits,
    upper,
    lower,
    special,
    classes: Number(digits > 0) + Number(upper > 0) + Number(lower > 0) + Number(special > 0),
    entropy: measureEntropy(value),
    surprise: bits,
    words: words.length,
    spaces,
    hex,
    base64: /^[A-Za-z0-9+/_-]{16,}={0,2}$/.test(value) && upper > 0 && lower > 0,
    uuid: UUID.test(value),
    template: TEMPLATE.test(value) || /^<[^>]*>$/.test(value) || /^\[[^\]]*\]$/.test(value),
    reference: REFERENCE.test(value),
    type: TYPES.test(value),
    url: URL_FORM.test(value),
    path:
      /^(?:\/|[A-Za-z]:\\|\.{1,2}\/)[\w.-]+\/?/.test(value) ||
      (/\//.test(value) && /^[a-z0-9_.-]+(?:\/[a-z0-9_.-]+)+$/.test(value) && bits < 4.6),
    file: FILE_NAME.test(value) || DOMAIN.test(value),
    date: DATE.test(value),
    number: /^[\d.,+-]+$/.test(value),
    walk: WALK.test(value),
    repeat: measureLongestRun(value, 0),
    sequence: Math.max(measureLongestRun(value, 1), measureLongestRun(value, -1)),
    identifier:
      /^[A-Za-z_$][\w$]*(?:[.:-]{1,2}[A-Za-z_$][\w$]*)*(?:\(\))?$/.test(value) &&
      words.length > 1 &&
      bits < 4.6 &&
      digits <= 2,
    dotted: /^[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)+$/.test(value) && bits < 4.8,
    standIn: (standIns.length > 0 && standIns.length === words.length) || isJoinedStandIn(value),
    standInShare: words.length === 0 ? 0 : standIns.length / words.length,
    vocabulary: words.length === 0 ? 0 : words.filter(isProgramWord).length / words.length,
    sameAsName: folded !== '' && (folded === foldedName || (foldedName.endsWith(folded) && folded.length >= 3)),
    containsName: /pass|secret|token|key|auth|cred|salt|nonce/i.test(value) && lettersShare > 0.6,
    sentence: spaces >= 2 && lettersShare > 0.65,
    markup: /[<>]|\\[nrt]|&[a-z]+;/.test(value),
    foreign: foreign > length / 3,
  }
}

/** Names of algorithms, modes and ways to log in, such as `HMAC-SHA256`, `AES/CBC/PKCS5Padding`, `MSCHAPV2`, `PBKDF2WithHmacSHA1`. */
const ALGORITHM =
  /^(?:(?:sha|md|aes|des|3des|rc|rsa|dsa|ecdsa|ecdh|ed|hmac|cmac|gmac|pbkdf|bcrypt|scrypt|argon|blowfish|twofish|camellia|chacha|poly|crypt|cram|digest|scram|gssapi|kerberos|krb|ntlm|mschap|rsn|chap|pap|eap|peap|ttls|tls|leap|wpa|wep|psk|oauth|jwt|hs|otp|totp|hotp|plain|external|anonymous|xor|cbc|gcm|ccm|ctr|ecb|cfb|ofb|pkcs|oaep|with|padding|v)\d{0,4}[-_/+.: ]?(?:\d{3}[-_/])?)+(?:id?)?$|^(?:prime|secp|sect|brainpoolp|curve)\d{3,5}[a-z]?\d?$/i
/** Names of character sets. */
const CHARSET = /^(?:utf-?(?:8|16|32)(?:le|be)?|latin-?\d|us-ascii|iso-?8859-\d{1,2}|cp\d{3,4}|windows-125\d)$/i
const LONGEST_ALGORITHM = 40

/** Public keys in the forms that they are handed round in. */
const PUBLIC_KEY =
  /^(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\S+)\s|AAAA[BCE]3?[0-9A-Za-z]{1,2}Nza|^AAAAE2VjZHNh|-----BEGIN (?:PUBLIC KEY|CERTIFICATE|[A-Z ]*PUBLIC KEY)/
/** A public key of OpenPGP or a session's key under one (RFC 4880, section 4.2) in hexadecimal digits. */
const PACKET = /^(?:98[0-9a-f]{2}|99[0-9a-f]{4}|c6[0-9a-f]{2,4})04[0-9a-f]{100}|^c1(?:8c|c0[0-9a-f]{2})03[0-9a-f]{100}/
/** Placeholders of printf, of format strings and of number formats. */
const FORMATTED = /%[-+#0]?(?:\d+)?(?:\.\d+)?(?:ll|l|h|z)[diuxX]|%\.\d+[a-z]|^%[-+#0]?\d*[a-z]$|%s|\{\d*\}|%\(\w+\)s/

/** Whether base64 of it is a sentence or a label: texts that some formats carry so, no secrets. */
function isEncodedText(value: string): boolean {
  // Behind the answer code of a mail protocol, as `334 VXNlcm5hbWU6`.
  const encoded = value.replace(/^(?:\+|\d{3}) /, '').replace(/\s+$/, '')
  if (encoded.length < 8 || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return false
  const text = Buffer.from(encoded, 'base64').toString('latin1')
  if (!/^[\t\n\r\x20-\x7e]{4,}$/.test(text)) return false
  // A user's name and a password.
  if (/^[\w.@-]{1,40}:\S/.test(text)) return false
  return (
    // A user without a password, as a public client logs in.
    /^[\w.@-]+:$/.test(text) ||
    /[A-Za-z]{2,} [A-Za-z]{2,}/.test(text) ||
    (/^[A-Z]?[a-z]{3,}[:.?!]?$/.test(text) && (measureSurprise(text) ?? 9) < 4.4)
  )
}

/** Bytes of zero that fill a text up to its length, as sources write them. */
const PADDING = /(?:\\{1,2}(?:0{1,3}|x00))+$/

/** Whether the value is no text of its own at all: a reference, a template, a type, nothing. No model is asked then. */
export function isNoValue(value: string, quote: string): boolean {
  if (value.length < 3 || value.length > 3000) return true
  if (/^\W+$/.test(value) && !/^[!-/:-@[-`{-~]{8,}$/.test(value)) return true
  if (measureLongestRun(value, 0) >= Math.max(4, value.length - 2)) return true
  const own = value.replace(PADDING, '')
  const isStressed = quote !== '' && /^(?:secret|password)!$/.test(own)
  if ((TYPES.test(own) && !isStressed) || TAKEN_OUT.test(own) || TRANSLATED.has(own.toLowerCase())) return true
  if (REFERENCE.test(value) && !/^[!&*@~$].{7,}[^\w]|^!(?=.{7})[A-Za-z]+\d/.test(value)) return true
  if (
    /^(?:<[^>]*>|\$\{.*\}|\{\{.*\}\}|%\w+%|%\d\$[sd]|\[[^\]]*\]|(?:\{[^{}]*\})+|x{3,}|X{3,}|\*{3,}.*|\.{3,}|-{3,})$/.test(
      value,
    )
  )
    return true
  if (/\$\{|\{\{|<%|\$\(|#\{/.test(value)) return true
  // Documents, resources of .NET, addresses of contracts and tokens of a blockchain, and directives of a web server.
  if (/\n[ \t]*\S[^\n]*[ :=(]/.test(value) && !value.includes('-----BEGIN')) return true
  if (/System\.\w+, |^0x[0-9a-fA-F]{40}$|^https?:\/\/[^@\s]+$|^urn:[a-z]/.test(value)) return true
  if (FORMATTED.test(value) || PUBLIC_KEY.test(value) || PACKET.test(value) || isEncodedText(value)) return true
  if (/\.\.\.|…|EXAMPLE|[A-Za-z\d]X{6}|X{6}[A-Za-z\d]/.test(value)) return true
  // Placeholders of build tools, small numbers, versions and sizes.
  if (
    /^@\w+@$|^0x[0-9a-f]{1,10},?$|^[-+^~<>=]*\d+(?:\.\d+)+(?:[-+~]{1,2}[a-z]{0,8}\d{0,8}(?:\.\d{1,6}){0,4}){0,3}$|^\d+-(?:octet|bit|byte|to-|char)/i.test(
      value,
    )
  )
    return true
  if (/^@[A-Z0-9_]+$|%[A-Z]{4,}|^@\{/.test(value)) return true
  // Of a label in another language the last word says so: `Zielschlüssel-Kennwort`.
  if (/[^\x00-\x7f]/.test(value) && TRANSLATED.has(value.toLowerCase().split(/[\s-]/).at(-1)!)) return true
  // A list of ciphers, the scope of a signature, what follows the password in a line of passwd.
  if (/^[!+-]?[A-Z\d-]+(?::[!+-][A-Z\d-]+)+$|\/\d{8}\/[\w-]+\/[\w-]+\/\w+_request$|^\d+:\d+:/.test(value)) return true
  if (measureLongestRun(value, 1) >= 10 && !/^\d+$/.test(value)) return true
  // Text that holds an assignment of its own is a text about values.
  if (/\w\s?[:=]\s?["']/.test(value)) return true
  if (/^\[[\w.]+\]::/.test(value)) return true
  if (
    (value.length <= LONGEST_ALGORITHM && (ALGORITHM.test(value) || CHARSET.test(value))) ||
    (quote === '' && /^%[A-Za-z_]+$/.test(value))
  )
    return true
  // A rule of a grammar, `1*SAFE`, and signs that are written as their numbers and nothing else: `\\u3299\\ufe0f`.
  if (/^\d\*\d?[A-Z(]|^(?:\\u[0-9A-Fa-f]{4}){1,12}$/.test(value)) return true
  // A text that tests how signs beyond ASCII are read: some of them, and the escapes of others.
  if (/\\u[0-9A-Fa-f]{4}/.test(value) && /^(?:\\u[0-9A-Fa-f]{4}|[^\x00-\x7f]|["'])+$/.test(value)) return true
  // The end of a check's own name in OVAL: `password:obj:1`.
  if (/^(?:def|obj|ste|tst|var):\d+$/.test(value)) return true
  // What a form's field is checked for: `required|min:8`.
  if (
    /^(?:required|nullable|sometimes|bail|present|filled|string|confirmed|min:\d+|max:\d+)(?:\|[\w:,]+)+$/.test(value)
  )
    return true
  // What a change is about: `Bug#4052`, `CVE-2021-3449`.
  if (/^(?:bug|issue|ticket|pr|gh|lp|cve|rfc|pep)[ #:-]{0,2}\d[\d-]*$/i.test(value)) return true
  // What a challenge and its answer are made of.
  if (/^Digest (?:username|realm|nonce|qop)=/.test(value)) return true
  // A call or an index is code, whatever it is that calls.
  if (quote === '' && /^[A-Za-z_$][\w$.:>-]*[([]/.test(value)) return true
  return false
}

/** Whether a value looks made up rather than written: digits or signs among letters, or letters that are no words. `much` asks for more of it. */
export function looksMade(value: string, much: boolean): boolean {
  if (value.length < (much ? 10 : 5) || /\s/.test(value)) return false
  const bits = measureSurprise(value) ?? 4
  if (much) {
    if (
      /^[A-Za-z_$][\w$]*(?:[.:-]{1,2}[A-Za-z_$][\w$]*)*$/.test(value) &&
      bits < 4.9 &&
      !/\d.*[A-Za-z].*\d/.test(value)
    )
      return false
    if (/[/.:]/.test(value) && bits < 4.9) return false
    return measureEntropy(value) * value.length > 40 && (bits > 4.6 || /^(?:0x)?[0-9a-fA-F]{16,}$/.test(value))
  }
  if (FILE_NAME.test(value) || URL_FORM.test(value)) return false
  if (/^[A-Za-z_$][\w$]*(?:[.:-]{1,2}[A-Za-z_$][\w$]*)+$/.test(value) && bits < 4.8) return false
  return /\d/.test(value)
    ? !/^\d{1,5}$/.test(value)
    : /[!#%^&*@]/.test(value)
      ? bits > 3.8 || value.length < 16
      : bits > 4.8 && value.length >= 7
}
