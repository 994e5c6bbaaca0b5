import { describe, expect, it } from 'vitest'
import { readSurroundings } from '../../../engine/detect/secrets/generic/around.ts'
import { found, looked, value } from './made.ts'

const V = value('{base62:5}7k{base62:4}')
const WORD = ['pork', 'chop'].join('')
/** As Cisco's routers hide a password, type 7. */
const HIDDEN = ['0822455D', '0A16544541'].join('')

describe('a secret is found where no name is tied to it by a sign', () => {
  it.each([
    ['sql', `INSERT INTO users (id, name, password) VALUES (7, 'bob', '${V}');`],
    ['php', `$db->query("INSERT INTO users (name, password) VALUES ('bob', '${V}')");`],
    ['sql', `CREATE DATABASE LINK l CONNECT TO scott IDENTIFIED BY ${V} USING 'x';`],
    ['go', `dsn := "bob:${V}@tcp(127.0.0.1:3306)/db"`],
    ['java', `keyStore.load(in, "${V}".toCharArray());`],
    ['python', `ssh.connect('db7', 22, 'root', '${V}')`],
    ['python', `htpasswd.set_password("bob", "${V}")`],
    ['javascript', `bcrypt.hashSync('${V}', 10)`],
    ['javascript', `cy.get('input[name=password]').type('${V}')`],
    ['javascript', `expect(user.password).toBe('${V}')`],
    ['ruby', `let(:password) { '${V}' }`],
    ['cpp', `WiFi.begin("home", "${V}");`],
    ['go', `url.UserPassword("bob", "${V}")`],
    ['markdown', `The default password is ${V}.`],
    ['text', `The password for root is ${V}`],
    ['text', `Cookie: sessionid=${value('{base62:32}')}`],
    ['python', `default = "swift://demo:${V}@/demo"`],
    ['conf', `&Client-Secret = "${V}"`],
    ['text', `USER bob\r\nPASS ${V}\r\n`],
    ['text', `C: a001 LOGIN bob ${V}`],
    ['go', `sql.Open("mysql", "root:${V}@/shop")`],
    ['markdown', `Default credentials: admin:${V}`],
    ['markdown', `username/password: admin/${V}`],
    ['markdown', `Log in with password ${V}.`],
    ['text', `username bob password ${V}`],
    ['html', `<p>Password: <code>${V}</code></p>`],
    ['html', `<tr><td>Password</td><td>${V}</td></tr>`],
    ['csharp', `"Data Source=.;uid=sa;pwd=${WORD}"`],
    ['python', `psycopg2.connect("dbname=shop user=app password=${WORD}")`],
    ['text', `GET /login?user=bob&password=${WORD} HTTP/1.1`],
    ['text', `INFO login user=bob password=${WORD} ok`],
    ['java', `@Value("\${db.password:${WORD}}")`],
    ['java', `User user = new User("admin", "${V}");`],
    ['python', `session = Client('root', '${V}', timeout=3)`],
    ['conf', `snmp-server community ${V} RO`],
    ['conf', `rocommunity ${V} 10.0.0.0/8`],
    ['conf', `username ops privilege 15 secret ${V}`],
    ['conf', `proxy_pass_user corp secret ${V}`],
    ['conf', `crypto isakmp key ${V} address 192.0.2.1`],
    ['conf', `radius-server host 10.2.2.2 auth-port 1812 key ${V}`],
    ['conf', `tacacs-server host 10.1.1.1 key 7 ${HIDDEN}`],
    ['conf', ` ip ospf message-digest-key 1 md5 ${V}`],
    ['conf', ` neighbor 10.0.0.2 password ${V}`],
    ['conf', `snmp-server user mon grp v3 auth sha ${V}`],
    ['text', `rootpw --plaintext ${V}`],
    ['text', `smtp.acme.io bot:${V}`],
    ['text', `[smtp.acme.io]:587 bob@acme.io:${V}`],
    ['markdown', `The Wi-Fi key is ${V} until Friday.`],
    ['markdown', `Default login: \`admin\` / \`${V}\``],
    ['text', `the root pass is ${V}`],
    ['python', `# login with bob:${V}`],
    ['json', `{"private":"${value('{hex:64}')}"}`],
    ['cobol', `       01 WS-PASSWORD PIC X(8) VALUE "${V}".`],
    ['csv', `username,password\nbob,${V}\n`],
    ['sql', `INSERT INTO users (name, pw) VALUES ('bob', '${V}');`],
    ['sql', `SELECT crypt('${V}', gen_salt('bf'));`],
    ['markdown', `Log in with \`bob\` / \`${V}\`.`],
  ])('in %s: %s', (language, text) => {
    expect(found(text, language)).toHaveLength(1)
  })
})

it('a picture that is written as the number of its sign is not looked at', () => {
  expect(looked(String.raw`{"map": "'secret':'\\u3299\\ufe0f',"}`, 'json')).toEqual([])
})

describe('nothing is found where such a place holds none', () => {
  it.each([
    ['csv', 'node-registry-auth-token\t5.0.1+~cs2.0.5\tREADME.md'],
    ['sql', 'INSERT INTO users (name, password) VALUES (:name, :password);'],
    ['sql', "INSERT INTO settings (key, value) VALUES ('site_name', 'My site');"],
    ['sql', "CREATE USER 'app' IDENTIFIED BY '$PW';"],
    ['sql', 'CREATE USER app IDENTIFIED BY password;'],
    ['go', 'dsn := fmt.Sprintf("%s:%s@tcp(%s:%d)/%s", u, p, h, n, d)'],
    ['java', 'for (char c : "abcdef12".toCharArray()) {'],
    ['cpp', 'WiFi.begin(ssid, password);'],
    ['nginx', 'uwsgi_pass mailman3;'],
    ['go', `const expiringKeyHex = "988d0451d1ec5d0104${value('{hex:200}')}"`],
    ['text', `Authentication: ${value('{hex:40}')}`],
    ['c', `"Accept: a\\r\\nPostman-Token: ${value('{uuid}')}\\r\\n"`],
    ['markdown', `[i]: https://img.shields.io/circleci/build/github/nestjs/nest/main?token=${value('{alnum:12}')}`],
    ['cpp', `req->setUsernamePassword(std::string("\\0${V}", 5), pw);`],
    ['text', `web_identity_token: "Atza%${value('{base62:30}')}XXXXXXXX${value('{base62:20}')}"`],
    ['conf', 'tacacs-server host 10.1.1.1 key prompt'],
    ['conf', 'crypto isakmp policy 10'],
    ['markdown', 'The Wi-Fi key is printed on the label.'],
    ['text', 'smtp.acme.io 587:starttls'],
    ['text', 'the root pass is expected to take an hour'],
    ['cobol', '       01 WS-PASSWORD PIC X(8) VALUE SPACES.'],
    ['json', '{"private": true, "name": "acme-tools"}'],
    ['csv', 'username,role\nbob,dev9xk2\n'],
    ['csv', 'password,strength\nx7Kq92mm,weak\n'],
    ['text', 'input[type=password]:hover, a:hover {}'],
    ['text', `gnutls-cli --priority "NONE:+RSA-PSK:+AES-128-CBC:+SHA256"`],
    ['text', '# passwd    = 1*SAFE ; MUST accept up to 255 octets'],
    ['markdown', `![logo](https://host.io/logo.png?alt=media&token=${value('{uuid}')})`],
    ['text', `https://docs.host.io/spreadsheet/ccc?key=${value('{base62:40}')}`],
    ['go', `PubKey{ID: "123", Key: "${value('{base64:43}')}="}`],
    ['go', `testKeyThumbprint = "${value('{base64url:43}')}"`],
    ['javascript', 'bcrypt.compare(req.body.password, user.password)'],
    ['ruby', 'let(:token) { build(:token) }'],
    ['markdown', 'The password is required.'],
    ['markdown', 'The key is 128-bit.'],
    ['markdown', 'Log in with password authentication.'],
    ['markdown', 'The username and password typed there are kept.'],
    ['go', 't.Fatalf("newFromPassword: should return a cost error")'],
    ['java', '"Befehle des Typs -keypasswd werden nicht unterstützt"'],
    ['java', '{"destination.key.password", "Zielschlüssel-Kennwort"},'],
    ['powershell', "state = @{type = 'str'}\npassword = @{type = 'str'; required = $false; no_log = $true }"],
    ['java', '"Zielschl\\u00FCssel-Kennwort"}, //-destkeypass'],
    ['python', '# Exit early if the password is already valid'],
    ['text', '| pacchetto | parola | descrizione |'],
    ['perl', '# if we failed (so we might prompt user for password again)'],
    ['perl', "$ENV{RND_SEED} = '1234567890123456789012345678901234567890';"],
    ['bash', "run -a monalisa -l bug -l todo -p roadmap -m 'big one'"],
    ['text', 'PASS 12 of 40 tests'],
    ['javascript', "import table from '@/tables/index'"],
    ['text', 'mailto:bob@/x'],
    ['php', "'PW' => 'Palaawu',"],
    ['c', 'testSpecification("HIGH:!aNULL:!PSK:!DSS:!SHA1:!AESCCM8");'],
    ['sh', '# $pass = dlpreopen'],
    ['markdown', 'The token is valid for 3600s.'],
    ['text', 'Cookie: session=abc'],
    ['javascript', "if ($('#password:focus').size()) submit()"],
    ['less', '@fa-var-user-secret: "\\f21b";'],
    ['javascript', 'e._requestSession=this._requestSession4x2,e.y=2'],
    ['python', 'run(session=request.state.session_of_v2, wait=True)'],
    ['php', "$lang['password'] = 'Heslo';"],
    ['json', '"password": "Wachtwoord",'],
    ['conf', 'User-Password = "password\\000\\000"'],
    ['typescript', 'const line = \'User-Password = "password\\\\000\\\\000"\''],
    ['typescript', "const PASSWORD = value('{upper:1}{lower:5}{digits:3}', 'seed')"],
    ['text', '    const char *password = stored;\n    return password;\n'],
  ])('in %s: %s', (language, text) => {
    expect(found(text, language)).toEqual([])
  })
})

describe('a value of 1,500 signs is taken whole', () => {
  const V = value('{base62:1500}')
  it.each([
    ['bash', 'docker login -u AWS -p … registry.acme.io'],
    ['bash', 'curl -u robot:… https://acme.io'],
    ['bash', 'export API_TOKEN=…'],
    ['bash', 'curl -b "session=…" https://acme.io'],
    ['yaml', 'api_token: …'],
    ['text', 'GET /items?api_key=… HTTP/1.1'],
    ['text', 'DATABASE_URL=postgres://app:…@db7/app'],
  ])('in %s: %s', (language, text) => {
    expect(found(text.replace('…', V), language).map(secret => secret.value)).toEqual([V])
  })
})

it('what lines give their names is told by their ends, however long they are', () => {
  const line = `${'x(y); '.repeat(30)}label = 'Enter your name'`
  const text = `${line}\npassword = '${V}'\n${line}\n`
  const start = text.indexOf(V)
  expect(readSurroundings(text, start, start + V.length, "'").phrases).toBe(1)
})

it('an address with a password of one or two signs is not looked at', () => {
  expect(looked(`http://a:b@c http://a:bc@c http://a:${'bcd'}@c`)).toHaveLength(1)
})

it('whether a value stands elsewhere as a name is told the same of the first value of a text and of the fortieth', () => {
  const values = Array.from({ length: 40 }, (_, at) => `word_${at}`)
  const text = values.map((word, at) => `password = ${word}\n${at % 2 ? `call(${word})` : `'${word}'`}\n`).join('')
  const told = values.map(word => {
    const start = text.indexOf(`${word}\n`)
    return readSurroundings(text, start, start + word.length, '').isName
  })
  expect(told).toEqual(values.map((_, at) => at % 2 === 1))
})
