/** How tools begin or enclose what they have encrypted; without their key it says nothing. */
const FORMS = [
  // SOPS, eyaml, Jasypt.
  /^ENC[[(]|^DEC(?:\(\d{1,4}\))?::/,
  /^\$ANSIBLE_VAULT;/,
  // HashiCorp Vault's transit engine, Spring Cloud Config, JBoss.
  /^vault:v\d{1,4}:[A-Za-z0-9+/=]{16,}|^\{cipher\}|^VAULT::/,
  // Maven, Jenkins.
  /^\{[A-Za-z0-9+/]{22,}={0,2}\}$/,
  // AWS KMS, DPAPI in base64 and hexadecimal, OpenSSL's `Salted__`, Fernet, age.
  /^AQI(?:CAH|DAH|BAH)[A-Za-z0-9+/]{40,}={0,2}$|^AQAAANCMnd8BFdERjHoAwE|^(?:0x)?01000000d08c9ddf0115d111|^U2FsdGVkX1|^gAAAA[ABCD][\w-]{60,}={0,2}$/i,
  /^-----BEGIN (?:AGE ENCRYPTED FILE|PGP MESSAGE|ENCRYPTED)/,
  // Pulumi, Rails' encrypted settings and cookies.
  /^v1:[A-Za-z0-9+/=]{8,24}:(?:v1:)?[A-Za-z0-9+/=]{8,}|^[A-Za-z0-9+/]{16,}={0,2}--[A-Za-z0-9+/]{12,24}={0,2}(?:--[A-Za-z0-9+/]{16,32}={0,2})?$/,
]
/** Before a value within what SOPS writes: `ENC[AES256_GCM,data:…,iv:`. */
const WITHIN = /ENC\[[A-Z0-9_]{2,20},[^\]\n]{0,4000}$/
/** A name that says of its value that it is encrypted; what encrypts is named otherwise (`encryption_key`). */
const NAMED = /(?:^|[_.\-\s]|(?<=[a-z]))(?:encrypted|encrypt?ed|cipher_?text|wrapped|sealed)(?![a-z])/i
const LONG = /^[A-Za-z0-9+/_-]{24,}={0,2}$|^(?:0x)?[0-9a-f]{32,}$/i
/** Salts of Pulumi's stacks. */
const SALT = /^encryption_?salt$/i
const REACH = 4000
/** Kubernetes' SealedSecret: all under `encryptedData` can be read in its cluster only. */
const SEALED = /\bkind["']?\s{0,4}:\s{0,4}["']?SealedSecret\b/

/** Whether a value is encrypted, by its form, its name or what encloses it. */
export function isEncrypted(text: string, start: number, value: string, name: string): boolean {
  if (FORMS.some(form => form.test(value)) || isEncryptedToken(value)) return true
  if ((NAMED.test(name) || SALT.test(name)) && (LONG.test(value) || FORMS.some(form => form.test(value)))) return true
  const before = text.slice(Math.max(0, start - REACH), start)
  if (WITHIN.test(before.slice(before.lastIndexOf('\n') + 1))) return true
  return value.length >= 200 && /^Ag[A-Za-z0-9+/]+={0,2}$/.test(value) && SEALED.test(text)
}

/** A JSON Web Encryption in its compact form (RFC 7516): five parts, and a header that names the content's cipher. */
function isEncryptedToken(value: string): boolean {
  const header = /^(eyJ[\w-]{10,2000})\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/.exec(value)?.[1]
  return header !== undefined && Buffer.from(header, 'base64url').toString('latin1').includes('"enc"')
}
