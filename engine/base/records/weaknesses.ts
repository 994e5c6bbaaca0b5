/** A class of weakness as people name it, with its numbers in MITRE's Common Weakness Enumeration. */
export interface Weakness {
  name: string
  /** The first one is its own; the others are special cases. */
  cwe: readonly string[]
  /** What people call it too, in lower case. */
  also: readonly string[]
  /** What an attacker gains, in one sentence. */
  gain: string
}

/** The weaknesses that are searched for and explained by name. Names and numbers are those of CWE 4.16 and of OWASP. */
export const WEAKNESSES: readonly Weakness[] = [
  {
    name: 'Path traversal',
    cwe: ['CWE-22', 'CWE-23', 'CWE-36', 'CWE-73'],
    also: ['directory traversal', 'zip slip', 'lfi', 'local file inclusion'],
    gain: 'An attacker can read or overwrite files outside the directory that was meant.',
  },
  {
    name: 'Command injection',
    cwe: ['CWE-78', 'CWE-77', 'CWE-88'],
    also: ['os command injection', 'shell injection', 'argument injection'],
    gain: 'An attacker can run commands of their choice with the rights of the program.',
  },
  {
    name: 'Cross-site scripting (XSS)',
    cwe: ['CWE-79', 'CWE-80'],
    also: ['xss', 'cross-site scripting', 'cross site scripting', 'html injection'],
    gain: 'An attacker can run scripts in the browser of another user, with that user’s session.',
  },
  {
    name: 'SQL injection',
    cwe: ['CWE-89', 'CWE-564'],
    also: ['sqli', 'query injection'],
    gain: 'An attacker can read or change any row that the program’s database user can reach.',
  },
  {
    name: 'NoSQL injection',
    cwe: ['CWE-943'],
    also: ['mongodb injection'],
    gain: 'An attacker can change what a query selects, and so read or change records of other users.',
  },
  {
    name: 'LDAP injection',
    cwe: ['CWE-90'],
    also: [],
    gain: 'An attacker can change what a directory search selects, and so sign in as somebody else or read entries.',
  },
  {
    name: 'XPath injection',
    cwe: ['CWE-643', 'CWE-91'],
    also: ['xml injection'],
    gain: 'An attacker can change what an XML query selects, and so read values that were not meant for them.',
  },
  {
    name: 'Code injection',
    cwe: ['CWE-94', 'CWE-95', 'CWE-98', 'CWE-96'],
    also: ['eval injection', 'remote code execution', 'rce', 'file inclusion'],
    gain: 'An attacker can run code of their choice inside the program.',
  },
  {
    name: 'Server-side template injection (SSTI)',
    cwe: ['CWE-1336'],
    also: ['ssti', 'template injection'],
    gain: 'An attacker can have the template engine evaluate expressions, which often leads to running code.',
  },
  {
    name: 'Log injection',
    cwe: ['CWE-117'],
    also: ['log forging'],
    gain: 'An attacker can forge log entries, or hide their own among others.',
  },
  {
    name: 'HTTP header injection (CRLF injection)',
    cwe: ['CWE-113', 'CWE-93'],
    also: ['crlf injection', 'header injection', 'response splitting', 'http response splitting'],
    gain: 'An attacker can add headers to a response, and so set cookies or split the response.',
  },
  {
    name: 'Format string vulnerability',
    cwe: ['CWE-134'],
    also: ['format string', 'uncontrolled format string'],
    gain: 'An attacker can read the memory of the program, and often write to it.',
  },
  {
    name: 'Buffer overflow',
    cwe: ['CWE-120', 'CWE-121', 'CWE-122', 'CWE-787', 'CWE-805', 'CWE-119', 'CWE-131', 'CWE-193', 'CWE-124'],
    also: ['out-of-bounds write', 'stack overflow', 'heap overflow', 'off-by-one', 'off-by-one error'],
    gain: 'An attacker can overwrite memory beyond a buffer, which ends the program or runs their code.',
  },
  {
    name: 'Out-of-bounds read',
    cwe: ['CWE-125', 'CWE-126', 'CWE-127'],
    also: ['buffer over-read'],
    gain: 'An attacker can read memory beyond a buffer, secrets included.',
  },
  {
    name: 'Use after free',
    cwe: ['CWE-416', 'CWE-415', 'CWE-825', 'CWE-562'],
    also: ['double free', 'dangling pointer'],
    gain: 'An attacker can have the program work on memory that holds other data, which may run their code.',
  },
  {
    name: 'Memory leak',
    cwe: ['CWE-401', 'CWE-772'],
    also: ['resource leak'],
    gain: 'The program runs out of memory or handles, sooner where an attacker repeats the request.',
  },
  {
    name: 'Null pointer dereference',
    cwe: ['CWE-476', 'CWE-690'],
    also: ['null dereference'],
    gain: 'An attacker can end the program.',
  },
  {
    name: 'Uninitialized memory',
    cwe: ['CWE-457', 'CWE-908', 'CWE-824'],
    also: ['uninitialized variable'],
    gain: 'The program works on leftover data, which may reveal secrets.',
  },
  {
    name: 'Integer overflow',
    cwe: ['CWE-190', 'CWE-191', 'CWE-680', 'CWE-681'],
    also: ['integer underflow'],
    gain: 'An attacker can make a size wrap around, so that a buffer is too small for what is written to it.',
  },
  {
    name: 'Race condition (TOCTOU)',
    cwe: ['CWE-367', 'CWE-362'],
    also: ['toctou', 'race condition', 'time-of-check to time-of-use'],
    gain: 'An attacker can exchange a file between its check and its use.',
  },
  {
    name: 'Insecure temporary file',
    cwe: ['CWE-377', 'CWE-378', 'CWE-379'],
    also: ['temporary file'],
    gain: 'Another user of the machine can read, exchange or predict the file.',
  },
  {
    name: 'Insecure permissions',
    cwe: ['CWE-732', 'CWE-276', 'CWE-284', 'CWE-668', 'CWE-269', 'CWE-250'],
    also: ['file permissions', 'excessive permissions', 'privilege escalation', 'access control'],
    gain: 'Users and programs can reach what they have no need of.',
  },
  {
    name: 'Missing authentication',
    cwe: ['CWE-306', 'CWE-287'],
    also: ['authentication bypass', 'broken authentication'],
    gain: 'An attacker can call a function without signing in.',
  },
  {
    name: 'Missing authorization',
    cwe: ['CWE-862', 'CWE-863', 'CWE-639'],
    also: ['broken access control', 'idor', 'insecure direct object reference'],
    gain: 'A user can reach data or functions of other users.',
  },
  {
    name: 'TLS certificate verification disabled',
    cwe: ['CWE-295', 'CWE-297', 'CWE-296'],
    also: ['certificate validation', 'tls verification', 'ssl verification', 'improper certificate validation'],
    gain: 'An attacker on the network can read and change the traffic.',
  },
  {
    name: 'Cleartext transmission',
    cwe: ['CWE-319', 'CWE-311', 'CWE-523'],
    also: ['unencrypted connection', 'missing encryption', 'plaintext', 'http without tls'],
    gain: 'An attacker on the network can read and change the traffic.',
  },
  {
    name: 'Cleartext storage of sensitive data',
    cwe: ['CWE-312', 'CWE-313', 'CWE-922'],
    also: ['cleartext storage', 'insecure storage', 'encryption at rest'],
    gain: 'Whoever obtains the storage reads the data.',
  },
  {
    name: 'Hard-coded credential',
    cwe: ['CWE-798', 'CWE-259', 'CWE-321', 'CWE-522', 'CWE-260', 'CWE-547'],
    also: [
      'hardcoded credential',
      'hard-coded password',
      'hardcoded password',
      'hard-coded secret',
      'secret',
      'api key',
    ],
    gain: 'Whoever reads the source can sign in with it, and it cannot be changed without a release.',
  },
  {
    name: 'Weak hash',
    cwe: ['CWE-328', 'CWE-916', 'CWE-759', 'CWE-760'],
    also: ['weak hash algorithm', 'md5', 'sha-1', 'sha1', 'weak password hash'],
    gain: 'An attacker can find collisions, or the password behind a hash.',
  },
  {
    name: 'Weak cryptographic algorithm',
    cwe: ['CWE-327', 'CWE-326', 'CWE-780', 'CWE-757'],
    also: ['weak crypto', 'weak cipher', 'broken cryptography', 'weak key', 'ecb mode', 'des', 'rc4'],
    gain: 'An attacker can read or forge what is encrypted or signed.',
  },
  {
    name: 'Predictable initialization vector',
    cwe: ['CWE-329', 'CWE-323', 'CWE-1204'],
    also: ['static iv', 'nonce reuse', 'initialization vector'],
    gain: 'An attacker can recognize equal messages, and with some ciphers recover the key stream.',
  },
  {
    name: 'Weak random number generator',
    cwe: ['CWE-338', 'CWE-330', 'CWE-335', 'CWE-336', 'CWE-337', 'CWE-331', 'CWE-332'],
    also: ['insecure randomness', 'weak random', 'predictable random', 'prng', 'predictable seed'],
    gain: 'An attacker can predict tokens, keys or passwords.',
  },
  {
    name: 'Missing signature verification',
    cwe: ['CWE-347', 'CWE-345', 'CWE-353'],
    also: ['jwt', 'jwt verification', 'signature verification', 'algorithm confusion'],
    gain: 'An attacker can forge tokens or messages.',
  },
  {
    name: 'Missing origin check',
    cwe: ['CWE-346', 'CWE-940', 'CWE-1385'],
    also: ['origin validation', 'postmessage', 'websocket hijacking'],
    gain: 'Another site can send messages that the program takes for its own.',
  },
  {
    name: 'Cross-site request forgery (CSRF)',
    cwe: ['CWE-352'],
    also: ['csrf', 'xsrf', 'cross-site request forgery'],
    gain: 'Another site can act in the name of a signed-in user.',
  },
  {
    name: 'Overly permissive CORS',
    cwe: ['CWE-942'],
    also: ['cors', 'cross-origin resource sharing'],
    gain: 'Another site can read responses with a signed-in user’s cookies.',
  },
  {
    name: 'Clickjacking',
    cwe: ['CWE-1021', 'CWE-693'],
    also: ['missing security header', 'frame options', 'content security policy', 'csp'],
    gain: 'Another site can show the page under its own and have users click on it.',
  },
  {
    name: 'Insecure cookie',
    cwe: ['CWE-614', 'CWE-1004', 'CWE-1275'],
    also: ['cookie without secure', 'cookie without httponly', 'httponly', 'samesite'],
    gain: 'An attacker can read a session cookie, on the network or by a script.',
  },
  {
    name: 'Session fixation',
    cwe: ['CWE-384', 'CWE-613'],
    also: ['session expiration'],
    gain: 'An attacker can use the session of a user who signs in.',
  },
  {
    name: 'Open redirect',
    cwe: ['CWE-601'],
    also: ['unvalidated redirect', 'url redirection'],
    gain: 'An attacker can send users from a trusted address to a site of their own.',
  },
  {
    name: 'Server-side request forgery (SSRF)',
    cwe: ['CWE-918'],
    also: ['ssrf', 'server-side request forgery'],
    gain: 'An attacker can have the server call addresses that only it can reach, cloud metadata included.',
  },
  {
    name: 'XML external entity (XXE)',
    cwe: ['CWE-611', 'CWE-776', 'CWE-827'],
    also: ['xxe', 'xml external entity', 'xml bomb', 'billion laughs', 'entity expansion'],
    gain: 'An attacker can read files of the server, have it call addresses, or exhaust its memory.',
  },
  {
    name: 'Unsafe deserialization',
    cwe: ['CWE-502'],
    also: ['deserialization', 'insecure deserialization', 'deserialization of untrusted data', 'pickle'],
    gain: 'An attacker can have the program build objects of their choice, which often runs their code.',
  },
  {
    name: 'Unsafe reflection',
    cwe: ['CWE-470'],
    also: ['reflection', 'class injection'],
    gain: 'An attacker can choose which class or method the program runs.',
  },
  {
    name: 'Prototype pollution',
    cwe: ['CWE-1321'],
    also: [],
    gain: 'An attacker can set properties of all objects of the program.',
  },
  {
    name: 'Mass assignment',
    cwe: ['CWE-915'],
    also: ['over-posting', 'autobinding'],
    gain: 'A user can set fields that no form offers, such as their own role.',
  },
  {
    name: 'Unrestricted file upload',
    cwe: ['CWE-434'],
    also: ['file upload'],
    gain: 'An attacker can upload a file that the server runs.',
  },
  {
    name: 'Download of code without integrity check',
    cwe: ['CWE-494', 'CWE-829', 'CWE-1357'],
    also: ['supply chain', 'unpinned dependency', 'missing integrity check', 'subresource integrity'],
    gain: 'Whoever controls the source or the network can run code in the build or the program.',
  },
  {
    name: 'Regular expression denial of service (ReDoS)',
    cwe: ['CWE-1333', 'CWE-625'],
    also: ['redos', 'catastrophic backtracking'],
    gain: 'An attacker can keep a processor busy with one short string.',
  },
  {
    name: 'Uncontrolled resource consumption',
    cwe: ['CWE-400', 'CWE-770', 'CWE-409', 'CWE-674'],
    also: ['denial of service', 'dos', 'resource exhaustion', 'zip bomb'],
    gain: 'An attacker can exhaust memory, disk or processor time.',
  },
  {
    name: 'Timing attack',
    cwe: ['CWE-208', 'CWE-203'],
    also: ['timing side channel', 'observable timing discrepancy'],
    gain: 'An attacker can find out a secret character by character from response times.',
  },
  {
    name: 'Information exposure',
    cwe: ['CWE-200', 'CWE-209', 'CWE-497', 'CWE-548', 'CWE-538'],
    also: ['information disclosure', 'stack trace', 'directory listing', 'error message'],
    gain: 'An attacker learns how the system is built, or data that was not meant for them.',
  },
  {
    name: 'Sensitive data in logs',
    cwe: ['CWE-532'],
    also: ['log exposure', 'password in log', 'secrets in logs'],
    gain: 'Whoever can read the logs obtains the data.',
  },
  {
    name: 'Debug mode enabled',
    cwe: ['CWE-489', 'CWE-215'],
    also: ['debug', 'debugger'],
    gain: 'An attacker can read internals of the program, and with some debuggers run code.',
  },
  {
    name: 'Prompt injection',
    cwe: ['CWE-1427'],
    also: ['llm injection'],
    gain: 'An attacker can give instructions to a language model in place of its owner.',
  },
  {
    name: 'Dangerous function',
    cwe: ['CWE-676', 'CWE-242'],
    also: ['banned function', 'unsafe function'],
    gain: 'The function cannot be called safely, and safer ones exist.',
  },
]

/** The weakness of a name or CWE number, in whatever case, hyphens and blanks alike; undefined for any other words. */
export function findWeakness(words: string): Weakness | undefined {
  const asked = fold(words)
  const number = /^(?:cwe )?0*(\d+)$/.exec(asked)?.[1]
  if (number !== undefined)
    return (
      WEAKNESSES.find(({ cwe }) => cwe[0] === `CWE-${number}`) ??
      WEAKNESSES.find(({ cwe }) => cwe.includes(`CWE-${number}`))
    )
  return (
    WEAKNESSES.find(({ name }) => [name, name.replace(/ \(.*\)$/, '')].some(one => fold(one) === asked)) ??
    WEAKNESSES.find(({ also }) => also.some(one => fold(one) === asked))
  )
}

/** Whether a rule or finding of these numbers is about the weakness. */
export function isAbout({ cwe }: Weakness, numbers: readonly string[]): boolean {
  return numbers.some(number => cwe.includes(number))
}

/** `Hard-coded  credentials` as `hard coded credential`. */
function fold(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replace(/(?<=[a-z]{3}[^su\W])s$/, '')
}
