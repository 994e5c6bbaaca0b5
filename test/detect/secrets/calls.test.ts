import { describe, expect, it } from 'vitest'
import { found, value } from './made.ts'

const V = value('{base62:5}7k{base62:4}')
const WORD = 'porkchop'

describe('a credential that a call takes is found', () => {
  it.each([
    ['javascript', `request.get('/').auth('bob', '${V}')`],
    ['javascript', `const cipher = crypto.createCipher('aes192', '${V}')`],
    ['javascript', `const plain = crypto.createDecipher('aes192', "${V}")`],
    ['php', `$out = openssl_encrypt($data, 'aes-256-cbc', '${V}', 0, $iv);`],
    ['python', `cipher = AES.new(b'${V}', AES.MODE_CBC, iv)`],
    ['python', `jwe.encrypt('hello', '${V}', algorithm='dir')`],
    ['python', `jws.verify(signed, '${V}', algorithms=['HS256'])`],
    ['java', `subject.login(new UsernamePasswordToken("bob", "${V}"));`],
    ['perl', `$ua->credentials('acme.io:80', 'Members', 'bob', '${V}');`],
    ['go', `nc, err := nats.Connect(url, nats.UserInfo("bob", "${V}"))`],
    ['python', `requests.get(url, auth=('bob', '${WORD}'))`],
    ['go', `if got, want := r.Header.Get("Authorization"), "Bearer ${V}"; got != want {`],
    ['java', `run("CREATE USER IF NOT EXISTS 'bob'@'db7' IDENTIFIED BY '!${V}'");`],
    ['python', `db.run("INSERT INTO users (name, pass) VALUES ('bob', '${V}')")`],
    ['python', `create_user("admin", "${V}")`],
    ['python', `ftp = FTP('ftp.acme.io', 'bob', '${V}')`],
    ['javascript', `firebase.auth().signInWithEmailAndPassword('bob@acme.io', '${V}')`],
    ['javascript', `CryptoJS.AES.decrypt(message, '${V}')`],
    ['java', `Jwts.builder().signWith(SignatureAlgorithm.HS512, "${V}")`],
    ['java', `user.setPassword(encoder.encode("${V}"));`],
    ['java', `jedis.auth("${V}");`],
    ['c', `mysql_real_connect(conn, "db7", "root", "${V}", "shop", 0, NULL, 0);`],
    ['c', `PKCS12_parse(p12, "${V}", &key, &cert, NULL);`],
    ['c', `curl_easy_setopt(curl, CURLOPT_PASSWORD, "${V}");`],
    ['c', `curl_easy_setopt(curl, CURLOPT_USERPWD, "bob:${V}");`],
    ['c', `strncpy(conf->passwd, "${V}", sizeof(conf->passwd));`],
    ['c', `if (!strcmp("${V}", password))`],
    ['php', `password_hash('${WORD}', PASSWORD_DEFAULT)`],
    ['go', `mac := hmac.New(sha256.New, []byte("${V}"))`],
    ['go', `signed, err := token.SignedString([]byte("${V}"))`],
    ['java', `Algorithm.HMAC256("${V}")`],
    ['java', `Key k = new SecretKeySpec("${V}".getBytes(), "HmacSHA256");`],
    ['csharp', `new SymmetricSecurityKey(Encoding.ASCII.GetBytes("${V}"))`],
    ['php', `hash_hmac('sha256', $data, '${V}')`],
    ['php', `ftp_login($connection, 'bob', '${V}');`],
    ['ruby', `OpenSSL::HMAC.hexdigest('sha256', '${V}', data)`],
    ['javascript', `crypto.pbkdf2Sync(pw, '${V}', 1000, 64, 'sha512')`],
    ['javascript', `crypto.scryptSync('${V}', 'salt', 32)`],
    ['python', `kdf = PBKDF2("${V}", salt, dkLen=32)`],
    ['go', `store := sessions.NewCookieStore([]byte("${V}"))`],
    ['javascript', `mysql.createConnection('db7', 'app', '${V}', 'shop')`],
    ['javascript', `new Sequelize('shop', 'app', '${V}', { host: 'db7' })`],
    ['python', `paramiko.RSAKey.from_private_key_file(path, '${V}')`],
    ['javascript', `const wallet = new Wallet("${value('{hex:64}')}")`],
    ['rust', `Opts::new().user(Some("app")).pass(Some("${V}"));`],
    ['python', `sha256(b"${V}" + pw).hexdigest()`],
    ['php', `$hash = md5('${V}' . $password);`],
    ['ruby', `page.driver.basic_authorize('bob', '${V}')`],
    ['ruby', `set :password, '${V}'`],
    ['scala', `Map("password" -> "${V}")`],
    ['cpp', `std::string password{"${V}"};`],
    ['python', `if "${V}" == password:`],
    ['python', `tn.read_until(b"Password: ")\ntn.write(b"${V}\\n")`],
    ['tcl', `expect "Password:"\nsend "${V}\\r"`],
    ['python', `server.login('bob', '${WORD}')`],
  ])('in %s: %s', (language, text) => {
    expect(found(text, language)).toHaveLength(1)
  })

  it('behind the service and the account of a keyring', () => {
    expect(found(`keytar.setPassword('mail', 'account1', '${V}')`, 'javascript').map(({ value: own }) => own)).toEqual([
      V,
    ])
  })

  it.each([
    ['python', `passwords = {"bob": "${V}", "amy": "x${V}"}`],
    ['python', `USERS = {"bob": "${V}", "amy": "x${V}"}`],
    ['javascript', `const users = { bob: '${V}', amy: 'x${V}' }`],
    ['php', `$users = array('bob' => '${V}', 'amy' => 'x${V}');`],
    ['go', `var users = map[string]string{"bob": "${V}", "amy": "x${V}"}`],
    ['javascript', `basicAuth({ users: { bob: '${V}', amy: 'x${V}' } })`],
    ['ruby', `passwords = {\n  'bob' => '${V}',\n  'amy' => 'x${V}',\n}`],
  ])('under each name of a table of them, in %s: %s', (language, text) => {
    expect(found(text, language).map(({ value: own }) => own)).toEqual([V, `x${V}`])
  })
})

describe('a call that takes no credential gives nothing', () => {
  it.each([
    ['c', `ASSERT_EQ(options.retval, XDP_PASS, "fragment retval");`],
    ['php', "return $this->compare_fields('password', 'password2');"],
    ['python', 'sensitive_parameters("oldpassword", "password", "password1", "password2")'],
    ['javascript', "request.get('/').auth(user, pass)"],
    ['javascript', "passport.auth('facebook', 'callback')"],
    ['javascript', "const cipher = crypto.createCipher('aes192', password)"],
    ['php', "$out = openssl_encrypt($data, 'aes-256-cbc', $key, 0, $iv);"],
    ['python', 'cipher = AES.new(key, AES.MODE_CBC, iv)'],
    ['python', "jwe.encrypt('hello', key, algorithm='dir')"],
    ['java', 'subject.login(new UsernamePasswordToken(user, password));'],
    ['perl', '$ua->credentials($host, "Members area 51", $user, $password);'],
    ['go', 'nats.UserInfo(user, password)'],
    ['python', "auth_methods = ['basic', 'digest']"],
    ['python', "auth = ('basic', 'digest', 'ntlm')"],
    ['go', 'if got, want := r.Header.Get("Authorization"), "Bearer "+own; got != want {'],
    ['yaml', 'password: !Ref DatabasePassword'],
    ['csharp', 'o.SelectToken("Manufacturers[0].Name2")'],
    ['javascript', "keytar.deletePassword('mail7x', 'account1')"],
    ['javascript', "keytar.getPassword('mail7x', 'account1')"],
    ['go', 'kube.GetCredentials(ctx, "deadbeef-dead-4aa5-beef-feedbeef347d", nil)'],
    ['go', 'PassphraseSecret SecretType = "passphrase"'],
    ['python', 'tn.write(b"ls7xQ2\\n")'],
    ['ruby', 'set :password, ENV.fetch("APP")'],
    ['python', 'USERS = {"bob": "Bob Smith", "amy": "Amy Jones"}'],
    ['python', `USERS = {"bob": "${V}", "amy": "amy@acme.io"}`],
    ['ruby', "articles_users: { id: 'article2' }"],
    ['ruby', "users: { id: 'user2x9' }"],
    ['javascript', "users: { list: '/api/v1/users', one: '/api/v1/users/:id' }"],
    ['javascript', `new Wallet("${V}")`],
    ['javascript', "crypto.pbkdf2Sync(pw, salt, 1000, 64, 'sha512')"],
    ['php', "hash_hmac('sha256', $data, $key)"],
    ['php', "$hash = md5('user_' . $id);"],
    ['python', "hashlib.md5('prefix:' + password)"],
    ['java', 'Mac.getInstance("HmacSHA256")'],
    ['python', `db.run("INSERT INTO runs (name, pass) VALUES ('bob', '%s')")`],
  ])('in %s: %s', (language, text) => {
    expect(found(text, language)).toEqual([])
  })
})
