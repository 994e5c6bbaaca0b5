/** Hashes in the modular crypt format, of LDAP (RFC 2307), Django, Werkzeug, PostgreSQL, GRUB and ASP.NET Identity. */
const FORMS = [
  // bcrypt, with and without what Django and Spring put before it.
  /^(?:bcrypt(?:_sha256)?\$|\{bcrypt\})?\$2[abxy]?\$\d{2}\$[./A-Za-z0-9]{53}$/,
  // crypt(3): MD5, Apache's, SHA-256, SHA-512, yescrypt, scrypt, Cisco's types 8 and 9, phpass, Drupal, Sun.
  /^(?:\{CRYPT\})?\$(?:1|apr1|5|6|7|8|9|y|gy|md5|sha1)\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9,=$]{1,60}\$[./A-Za-z0-9]{22,86}$/i,
  /^\$[PHS]\$[./A-Za-z0-9]{31,52}$/,
  /^\$(?:argon2(?:id?|d)|scrypt|s[02]|pbkdf2(?:-sha\d{1,3})?|bcrypt-sha256|balloon)\$[\w./+=,$-]{20,300}$/i,
  /^(?:argon2)\$argon2(?:id?|d)\$[\w./+=,$-]{20,300}$/,
  /^\{(?:S?SHA|SSHA-?(?:256|384|512)|SHA-?(?:256|384|512)|S?MD5|PBKDF2[\w-]{0,10}|ARGON2|SCRYPT|BLF-CRYPT|SHA\d{3}-CRYPT|CRAM-MD5)\}\$?[\w./+=$,-]{16,300}$/i,
  // Django's and Werkzeug's: algorithm, cost, salt, hash.
  /^(?:pbkdf2(?:_sha\d{1,3}|:sha\d{1,3}(?::\d{1,8})?)|scrypt(?::\d{1,8}){0,3})\$(?:\d{1,9}\$)?[\w./+=$-]{4,80}\$[\w./+=-]{20,200}$/,
  /^(?:unsalted_)?(?:md5|sha1)\$[\w./+=-]{0,40}\$[0-9a-f]{32,40}$/,
  // PostgreSQL's two, MySQL's, GRUB's, ASP.NET Identity's.
  /^SCRAM-SHA-\d{1,3}\$\d{1,8}:[A-Za-z0-9+/=]{8,60}\$[A-Za-z0-9+/=]{20,100}:[A-Za-z0-9+/=]{20,100}$/,
  /^md5[0-9a-f]{32}$/,
  /^\*[0-9A-F]{40}$/,
  /^grub\.pbkdf2\.sha\d{3}\.\d{1,8}\.[0-9A-F]{32,256}\.[0-9A-F]{32,256}$/i,
  /^AQAAAA(?:EAACcQ|IAA)[A-Za-z0-9+/]{60,140}={0,2}$/,
]
/** A name that says of its value that it is a digest of a password. */
const NAMED =
  /pass\w*[ _.-]?(?:hash(?:ed)?|digest|md5|sha\d{0,3})$|(?:hash(?:ed)?|md5|sha\d{1,3})[ _.-]?pass(?:word|wd|phrase)?$/i
const DIGEST = /^(?:0x)?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i

/** Whether a value is the hash of a password: nobody signs in with it, but it can be guessed from. */
export function isPasswordHash(value: string, name: string): boolean {
  return FORMS.some(form => form.test(value)) || (NAMED.test(name) && DIGEST.test(value))
}
