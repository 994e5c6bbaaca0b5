import { toSet } from './word-set.ts'

/* The calls that take a secret though nothing there says so. */

/** Texts that begin a call whose argument is a secret though nothing there says so; in lower case, for the automaton. */
export const CALL_STEMS = [
  'connect(',
  'connection(',
  'login(',
  'mysqli(',
  'pdo(',
  'jwt.',
  'jwe.',
  'jws.',
  'hmac(',
  'hmac.new(',
  'cipher(',
  'cipheriv(',
  'aes.new(',
  'userinfo(',
  'cookieparser(',
  'fernet(',
  'create_user(',
  'createuser(',
  'create_superuser(',
  'bcrypt.',
  'wifi.begin(',
  'ftp(',
  'signwith(',
  'signedstring(',
  'aes.encrypt(',
  'aes.decrypt(',
  'basic_authorize(',
  '_parse(',
  'simple_bind',
  'ldap_bind(',
  'hmac256(',
  'hmac384(',
  'hmac512(',
  'hmac.hexdigest(',
  'pbkdf2(',
  'pbkdf2sync(',
  'scrypt(',
  'scryptsync(',
  'cookiestore(',
  'sequelize(',
  'wallet(',
  'hmacsha',
  'httpbasic(',
  'basic("',
  'createasync(',
  ...['imap_open(', 'smtp.start(', 'pbkdf2_hmac', 'encoder.matches('],
  ...['bind("cn=', "bind('cn=", 'bind("uid=', "bind('uid="],
] as const

/** Of a call, the place of the secret among its arguments, and how many there are at least. */
export interface Takes {
  callee: RegExp
  argument: number
  kind: 'password' | 'secret' | 'salt'
}

/** The calls, of which the first that fits decides; a function, since few files have one and each expression takes its time to be made. */
const calls = (): readonly Takes[] => [
  // The first of these is the connection itself.
  { callee: /mysqli?_real_connect$/, argument: 3, kind: 'password' },
  {
    callee:
      /(?:mysqli|\bPDO|\bFTP|mysqli?_p?connect|real_connect|[gG]etConnection|createConnection|connect|new_connection)$/,
    argument: 2,
    kind: 'password',
  },
  { callee: /\bftp_login$|\bssh2_auth_password$|\bSequelize$/, argument: 2, kind: 'password' },
  { callee: /\bfrom_private_key(?:_file)?$/, argument: 1, kind: 'password' },
  { callee: /(?:redis|jedis)\w{0,12}(?:\.|->)auth$/i, argument: 0, kind: 'password' },
  { callee: /create_?(?:super)?user$/i, argument: 2, kind: 'password' },
  { callee: /(?:^|[._>:])login$/i, argument: 1, kind: 'password' },
  {
    callee: /\bhttpBasic$|(?:^|\bCredentials)\.basic$|\bBasicAuthentication(?:Interceptor)?$|->auth$/,
    argument: 1,
    kind: 'password',
  },
  {
    callee:
      /(?:basic_?auth|basic_?authorize|(?:http|proxy)_?auth|digest_?auth|\.auth|PasswordAuthentication|PasswordToken|Credentials?|authenticate|UserInfo|(?:url|with)\.UserPassword|(?:login|signin|createuser)with(?:email)?(?:and)?password)$/i,
    argument: 1,
    kind: 'password',
  },
  {
    callee: /(?:set|check|change|verify|update|add)_?(?:user_?(?:name_?(?:and_?)?)?)?password$/i,
    argument: 1,
    kind: 'password',
  },
  // The first argument is whom one acts for.
  { callee: /PlainAuth$/, argument: 2, kind: 'password' },
  {
    callee: /\bldap_simple_bind(?:_s)?$|userauth_password$|username_pw_set$|\bimap_open$/,
    argument: 2,
    kind: 'password',
  },
  { callee: /\bSMTP\.start$/, argument: 4, kind: 'password' },
  { callee: /\bPEM_read_(?:bio_)?(?:RSA)?PrivateKey$/, argument: 3, kind: 'password' },
  { callee: /^Connection$|\bldap3?\.Connection$/, argument: 2, kind: 'password' },
  {
    callee: /(?:->|\.)bind$|Credentials::new$|set_?(?:http_?|basic_?)?auth(?:entication)?$/i,
    argument: 1,
    kind: 'password',
  },
  { callee: /\bsqlite3_key(?:_v2)?$|CompareHashAndPassword$|\bpbkdf2_hmac$/, argument: 1, kind: 'password' },
  { callee: /\bPKCS5_PBKDF2_HMAC(?:_SHA1)?$|[eE]ncoder\.matches$/, argument: 0, kind: 'password' },
  { callee: /simple_bind(?:_s)?$/, argument: 1, kind: 'password' },
  { callee: /\bldap_bind$/, argument: 2, kind: 'password' },
  { callee: /PKCS12_parse$|passwd_cb_userdata$/, argument: 1, kind: 'password' },
  {
    callee: /bcrypt\.(?:hash|hashSync|hashpw|compare|compareSync|GenerateFromPassword)$/i,
    argument: 0,
    kind: 'password',
  },
  { callee: /password_hash$/, argument: 0, kind: 'password' },
  { callee: /WiFi\.begin$/i, argument: 1, kind: 'password' },
  {
    callee: /jw(?:t\.(?:sign|verify|encode|decode)|[es]\.(?:sign|verify|encrypt|decrypt))$/i,
    argument: 1,
    kind: 'secret',
  },
  { callee: /(?:create_?hmac|create(?:De)?cipher(?:iv)?)$/i, argument: 1, kind: 'secret' },
  { callee: /\bhash_hmac$/, argument: 2, kind: 'secret' },
  { callee: /HMAC\.hexdigest$/, argument: 1, kind: 'secret' },
  { callee: /(?:pbkdf2|scrypt)(?:Sync)?$/i, argument: 1, kind: 'salt' },
  {
    callee: /\bSymmetricSecurityKey$|\bHMACSHA(?:1|256|384|512)$|\bHMAC(?:256|384|512)$|CookieStore$/,
    argument: 0,
    kind: 'secret',
  },
  { callee: /openssl_(?:en|de)crypt$/, argument: 2, kind: 'secret' },
  { callee: /\b(?:aes|des|rc4)\.New(?:TripleDES)?Cipher$/, argument: 0, kind: 'secret' },
  // The user that is made stands before its password.
  { callee: /[uU]ser\w{0,20}\.CreateAsync$/, argument: 1, kind: 'password' },
  { callee: /\bhmac\.New$|\bAES\.(?:en|de)crypt$|\.signWith$/, argument: 1, kind: 'secret' },
  { callee: /\b(?:Encoding|Decoding)Key::from_secret$/, argument: 0, kind: 'secret' },
  { callee: /\bWallet$/, argument: 0, kind: 'secret' },
  { callee: /\.SignedString$|\bSecretKeySpec$/, argument: 0, kind: 'secret' },
  { callee: /(?:hmac\.new|\bAES\.new|cookieParser|Fernet)$/, argument: 0, kind: 'secret' },
]

let made: readonly Takes[] | undefined

/** What the call takes by this name, the end of which counts. */
export function findTakes(callee: string): Takes | undefined {
  made ??= calls()
  return made.find(one => one.callee.test(callee))
}

/** Last three letters of what the callees end in, so that few names are looked at as one. */
export const ENDS = toSet(
  'ftp ize ith ing pec rse ata ake qli pdo ect ion ser gin uth ial als ate nfo ign ify ode mac riv her new net ord ken ash ync are hpw ypt ind d_s ile 256 384 512 est df2 ore let sic tor set ha1 key _v2 pen art hes',
)
