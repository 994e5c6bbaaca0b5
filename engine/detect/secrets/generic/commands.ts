import { type Found, PASSWORD } from './special.ts'
import { findTokenEnd } from './value.ts'

const LONGEST_WORD = 200
const WORD = `["']?([^\\s"'\`<>;|&]{1,${LONGEST_WORD}})`
/** The same where the word cannot begin with a quote of its own, standing behind a user's name. */
const REST = `([^\\s"'\`<>;|&]{1,${LONGEST_WORD}})`

/** A program that takes the password as the word behind an option, or in one with it. */
function behind(program: string, option: string): RegExp {
  return new RegExp(`\\b${program}\\b[^\\n|;]{0,200}?\\s${option}${WORD}`, 'dy')
}

/** What is written to a program, and for whom; at the program's own name. */
function written(before: string, program: string): RegExp {
  return new RegExp(
    `(?<=\\becho\\s+(?:-[ne]{1,2}\\s+)?["']?${before}([^\\s"'|:]{3,100})["']?\\s{0,4}\\|\\s{0,4}(?:sudo\\s+)?)${program}`,
    'dy',
  )
}

/**
 * Of each program, by what its call begins with (in lower case) and made when it is first come by: how it takes a password on its
 * command line, the password being the last group.
 */
const COMMANDS: Record<string, () => RegExp[]> = {
  curl: () => [
    new RegExp(`\\bcurl\\b[^\\n|;]{0,300}?\\s(?:-u|--user|-U|--proxy-user)[ =]?["']?[^\\s:"'\`]{1,80}:${REST}`, 'dy'),
  ],
  'http -a': () => [new RegExp(`\\bhttp -a\\s?["']?[^\\s:"'\`]{1,80}:${REST}`, 'dy')],
  wget: () => [behind('wget', '--(?:http-|ftp-|proxy-)?password[ =]')],
  sshpass: () => [new RegExp(`\\bsshpass\\s+-p\\s?${WORD}`, 'dy')],
  mysql: () => [
    behind('mysql(?:dump|admin|import|check|show|slap)?', '-p'),
    new RegExp(`\\bmysqladmin\\b[^\\n|;]{0,100}?\\spassword\\s+${WORD}`, 'dy'),
  ],
  smbclient: () => [new RegExp(`\\bsmbclient\\b[^\\n|;]{0,200}?\\s-U\\s?["']?[^\\s%"'\`]{1,80}%${REST}`, 'dy')],
  ldapsearch: () => [behind('ldapsearch', '-w\\s?')],
  ldapadd: () => [behind('ldapadd', '-w\\s?')],
  ldapmod: () => [behind('ldapmod(?:ify|rdn)', '-w\\s?')],
  ldapdelete: () => [behind('ldapdelete', '-w\\s?')],
  ldapwhoami: () => [behind('ldapwhoami', '-w\\s?')],
  ldappasswd: () => [behind('ldappasswd', '-w\\s?'), behind('ldappasswd', '-s\\s?')],
  openssl: () => [new RegExp(`\\bopenssl\\b[^\\n|;]{0,200}?(?:\\s-k\\s|\\bpass:)${WORD}`, 'dy')],
  'docker login': () => [
    behind('docker login', '-p[ =]?'),
    written('', 'docker\\s+login\\b[^\\n|;]{0,200}--password-stdin'),
  ],
  'ssh-ke': () => [behind('ssh-keygen', '-[NP]\\s?')],
  'helm ': () => [
    /\bhelm\b[^\n|;]{0,300}?\s--set(?:-string)?[ =]["']?(?:[^\s"']{0,200},)?[\w.-]{0,60}[pP]assword=([^\s"',$]{3,80})/dy,
  ],
  'podman login': () => [behind('podman login', '-p[ =]?')],
  'az login': () => [behind('az login', '-p[ =]?')],
  'redis-cli': () => [behind('redis-cli', '-a[ =]?')],
  'mongo ': () => [behind('mongo', '-p[ =]?(?!\\d+(?![^\\s"\'`;|&)]))')],
  mongosh: () => [behind('mongosh', '-p[ =]?')],
  mongodump: () => [behind('mongodump', '-p[ =]?')],
  mongorestore: () => [behind('mongorestore', '-p[ =]?')],
  cqlsh: () => [behind('cqlsh', '-p\\s?')],
  rdesktop: () => [behind('rdesktop', '-p\\s?')],
  xfreerdp: () => [behind('xfreerdp', '/p:')],
  ncftp: () => [behind('ncftp(?:put|get|ls)?', '-p\\s?')],
  'useradd ': () => [behind('useradd', '(?:-p|--password)[ =]')],
  'usermod ': () => [behind('usermod', '(?:-p|--password)[ =]')],
  sqlcmd: () => [behind('sqlcmd', '-P\\s?')],
  'isql ': () => [behind('isql', '-P\\s?')],
  'bcp ': () => [behind('bcp', '-P\\s?')],
  ipmitool: () => [behind('ipmitool', '-P\\s?')],
  sqlplus: () => [/\bsqlplus\s+(?:-\w{1,4}\s+){0,3}["']?[\w$#]{1,40}\/([^\s"'@/]{1,60})/dy],
  lftp: () => [new RegExp(`\\blftp\\b[^\\n|;]{0,200}?\\s-u\\s?["']?[^\\s,"']{1,60},${REST}`, 'dy')],
  snmpget: () => snmp('snmpget'),
  snmpwalk: () => snmp('snmpwalk'),
  snmpset: () => snmp('snmpset'),
  ' -pw ': () => [new RegExp(`(?<=\\b(?:plink|pscp|psftp|putty)(?:\\.exe)?\\b[^\\n|;]{0,200}) -pw ${WORD}`, 'dy')],
  'add_user ': () => [
    new RegExp(`(?<=\\brabbitmqctl\\b[^\\n|;]{0,100})add_user\\s+["']?[^\\s"']{1,60}["']?\\s+${WORD}`, 'dy'),
  ],
  'change_password ': () => [
    new RegExp(`(?<=\\brabbitmqctl\\b[^\\n|;]{0,100})change_password\\s+["']?[^\\s"']{1,60}["']?\\s+${WORD}`, 'dy'),
  ],
  // Behind a user's name any program's; clients of MySQL take what follows a blank for the database, and ask for the password.
  ' -p ': () => [
    new RegExp(
      `(?<!\\b(?:mysql|mariadb)\\w{0,12}\\s[^\\n|;]{0,200})(?<=\\s(?:-u|-U|--user|--username|--login)[ =]?["']?[\\w.@-]{2,60}["']?(?:\\s[^\\n|;]{0,80})?) -[pP] ["']?(?!\\d{1,5}(?![\\w.!-])|\\d+:\\d)([^\\s"'\`<>;|&]{3,${LONGEST_WORD}})`,
      'dy',
    ),
  ],
  passwd: () => [
    /passwd\/(?:root|user)-password(?:-again)?\s+password\s+(\S{3,60})/dy,
    /passwd:?\s+(?:-f\s+)?(?:<<<\s?["']?)([^\s"']{3,60})/dy,
    /(?<=\bprintf\s+["']([^\s"'\\%$]{3,60})(?:\\n[^\s"']{0,70})?["']\s{0,4}\|\s{0,4}(?:sudo\s+)?)passwd/dy,
    new RegExp(
      `(?<=\\bht)passwd\\s+(?:-\\w{1,5}\\s+){0,3}?-\\w{0,4}b\\w{0,4}\\s+(?:-\\w{1,5}\\s+){0,3}\\S{1,100}\\s+[^\\s-]\\S{0,80}\\s+${WORD}`,
      'dy',
    ),
    new RegExp(`(?<=\\bht)passwd\\s+-\\w{0,3}(?:nb|bn)\\w{0,3}\\s+[^\\s-]\\S{0,80}\\s+${WORD}`, 'dy'),
    /(?<=\becho\s+-n?e\s+["']([^\s"'\\%$]{3,60})\\n[^\s"']{0,70}["']\s{0,4}\|\s{0,4}(?:sudo\s+)?(?:smb)?)passwd/dy,
    /(?<=["'\s][\w${}-]{1,30}:([^\s"'|:]{3,100})["']?\s{0,4}\|\s{0,4}(?:sudo\s+)?ch)passwd/dy,
    written('', 'passwd\\s+--stdin'),
  ],
  'sudo -s': () => [written('', 'sudo -S')],
  securestring: () => [
    /(?<=["']([^"'\s$]{3,200})["']\s{0,4}\|\s{0,4}ConvertTo-)SecureString\b/diy,
    /(?<=ConvertTo-)SecureString\s+(?:-AsPlainText\s+|-Force\s+|-String\s+){0,3}["']([^"'\s$]{3,200})/diy,
  ],
  'net user': () => [new RegExp(`\\bnet user\\s+(?!/)["']?[^\\s"'/]{1,60}["']?\\s+(?![/*])${WORD}`, 'diy')],
  'net use': () => [
    new RegExp(`\\bnet use\\b[^\\n|;]{0,100}?\\s/user:[^\\s"'/]{1,60}[ \\t]+(?![/*])${WORD}`, 'diy'),
    new RegExp(`\\bnet use\\s+(?:[A-Za-z]:\\s+)?\\\\\\\\[^\\s"']{1,100}\\s+(?![/*])${WORD}(?=[ \\t]+/user:)`, 'diy'),
  ],
  'cryptsetup ': () => [written('', 'cryptsetup\\s+luks')],
  'kinit ': () => [written('', 'kinit\\s'), new RegExp(`\\bkinit\\s[^\\n|;<]{0,80}<<<\\s?${WORD}`, 'dy')],
  pk12util: () => [behind('pk12util', '-[WK]\\s?')],
  'kadmin ': () => [behind('kadmin', '-w\\s?')],
  'addprinc ': () => [behind('addprinc', '-pw\\s')],
  slappasswd: () => [behind('slappasswd', '-s\\s')],
  'samba-tool ': () => [
    new RegExp(`\\bsamba-tool user (?:create|add|setpassword) [\\w.-]{1,40} (?!-)${WORD}`, 'dy'),
    behind('samba-tool', '--(?:new|admin)?pass(?:word)?[ =]'),
  ],
  'nmcli ': () => [behind('nmcli', 'password\\s')],
  wpa_pass: () => [new RegExp(`\\bwpa_passphrase\\s+(?:"[^"\\n]{1,40}"|\\S{1,40})\\s+${WORD}`, 'dy')],
  'http --auth': () => [new RegExp(`\\bhttp --auth[ =]["']?[^\\s:"'\`]{1,80}:${REST}`, 'dy')],
  'net rpc': () => [new RegExp(`\\bnet rpc\\b[^\\n|;]{0,200}?\\s-U\\s?["']?[^\\s%"'\`]{1,80}%${REST}`, 'dy')],
  rpcclient: () => [new RegExp(`\\brpcclient\\b[^\\n|;]{0,200}?\\s-U\\s?["']?[^\\s%"'\`]{1,80}%${REST}`, 'dy')],
  'gpg --': () => [new RegExp(`\\bgpg --[^\\n|;<]{0,120}--passphrase-fd 0[^\\n|;<]{0,60}<<<\\s?${WORD}`, 'dy')],
  'zip -': () => [new RegExp(`(?<=\\b(?:un)?)zip\\b[^\\n|;]{0,100}?\\s-P\\s?${WORD}`, 'dy')],
  '7z ': () => [behind('7z', '-p')],
  identified: () => [
    /(?<=\b(?:create|alter|grant)\b[^;]{0,300})\bidentified\s+(?:by|with\s+\w+\s+(?:by|as))\s+(?:password\s+)?["']([^"'\s]{1,200})/diy,
    // Oracle takes the password as a bare word.
    /(?<=\b(?:CREATE|ALTER|GRANT|CONNECT|create|alter|grant|connect)\b[^;]{0,300})\b(?:IDENTIFIED\s+BY|identified\s+by)\s+([A-Za-z][\w$#]{3,40})(?=\s{0,4}(?:;|["']|(?:using|default|account|quota|temporary|USING|DEFAULT|ACCOUNT|QUOTA|TEMPORARY)\b|\n))/dy,
  ],
}

/** The words that authenticate and encrypt. */
function snmp(program: string): RegExp[] {
  return [behind(program, '-A\\s?'), behind(program, '-X\\s?')]
}

const PROGRAMS = Object.keys(COMMANDS)
let longest = 0
/** 1 for each code that one of them begins with, letters in either case. */
const BEGINS = new Uint8Array(128)
for (const name of PROGRAMS) {
  longest = Math.max(longest, name.length)
  const first = name.charCodeAt(0)
  BEGINS[first] = 1
  if (first >= 97) BEGINS[first - 32] = 1
}
const LONGEST_NAME = longest
/** Texts that the calls of programs begin with; the automaton looks for those that no other anchor is in. */
export const COMMAND_STEMS: readonly string[] = PROGRAMS.filter(name => name !== 'passwd')

const NONE: readonly Found[] = []

const made = new Map<string, RegExp[]>()

function formsOf(program: string): RegExp[] {
  let forms = made.get(program)
  if (!forms) {
    forms = COMMANDS[program]!()
    made.set(program, forms)
  }
  return forms
}

/** Passwords given to a program on its command line, `at` being where the program's name stands. */
export function readCommands(text: string, at: number): readonly Found[] {
  // Most anchors are no programs: `key`, `token`, `auth`, and `iv` within a word.
  const second = text.charCodeAt(at + 1) | 32
  if (BEGINS[text.charCodeAt(at)] !== 1 || second === 0x76) return NONE
  const name = text.slice(at, at + LONGEST_NAME).toLowerCase()
  const key = PROGRAMS.find(known => name.startsWith(known))
  if (key === undefined) return NONE
  const out: Found[] = []
  for (const form of formsOf(key)) {
    form.lastIndex = at
    const found = form.exec(text)
    if (!found) continue
    const [start, stop] = found.indices!.at(-1)!
    const end = stop - start < LONGEST_WORD ? stop : findTokenEnd(text, stop)
    const value = text.slice(start, end)
    // An option behind one that takes nothing.
    if (value.startsWith('-')) continue
    out.push({
      kind: 'password',
      name: key,
      sense: PASSWORD,
      link: 'command',
      quote: '',
      wrapped: false,
      start,
      end,
      text: value,
    })
  }
  return out
}
