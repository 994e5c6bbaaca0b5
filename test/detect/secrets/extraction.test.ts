import { describe, expect, it } from 'vitest'
import { findAnchors } from '../../../engine/detect/secrets/generic/anchors.ts'
import { candidatesOf } from '../../../engine/detect/secrets/generic/candidates.ts'
import { sample } from '../../../engine/detect/secrets/sample.ts'

/**
 * Ways of giving a value to a name, by language: {n} stands for the name in snake case, {N} upper case, {c} camel case, {C} with a
 * capital, {k} with hyphens, {v} for the value. What is no candidate here can be found by no model, so nothing may be missing.
 */
const SHAPES: Record<string, readonly string[]> = {
  python: [
    '{n} = "{v}"',
    "self.{n} = '{v}'",
    "client = Client(host, {n}='{v}')",
    'config["{n}"] = "{v}"',
    'os.environ["{N}"] = "{v}"',
    "os.environ.setdefault('{N}', '{v}')",
    "{N} = os.getenv('{N}', '{v}')",
    "{N} = os.environ.get('{N}') or '{v}'",
    "{'host': 'db', '{n}': '{v}'}",
    'dict(user="bob", {n}="{v}")',
    "parser.add_argument('--{k}', default='{v}')",
    "cfg.get('db', '{n}', fallback='{v}')",
    "def connect(host, {n}='{v}'):",
    "    {n}: str = '{v}'",
    "assert user.{n} == '{v}'",
    "self.assertEqual('{v}', user.{n})",
    '{N} = b"{v}"',
    '{n} = """{v}"""',
    '{n} = (\n    "{v}"\n)',
    '# {n}: {v}',
  ],
  java: [
    'private static final String {N} = "{v}";',
    'String {c} = new String("{v}");',
    'props.setProperty("db.{c}", "{v}");',
    'map.put("{c}", "{v}");',
    'user.set{C}("{v}");',
    'builder.{c}("{v}").build();',
    'char[] {c} = "{v}".toCharArray();',
    'if ("{v}".equals({c})) {',
    'if ({c}.equals("{v}")) {',
    'assertEquals("{v}", user.get{C}());',
    '@Value("${app.{k}:{v}}")',
    '@ConfigProperty(name = "{k}", defaultValue = "{v}")',
  ],
  javascript: [
    "const {c} = '{v}'",
    "login({ user: 'bob', {c}: '{v}' })",
    "{ '{k}': '{v}' }",
    "process.env.{N} = '{v}'",
    "const {c} = process.env.{N} || '{v}'",
    "const {c} = process.env.{N} ?? '{v}'",
    "if ({c} === '{v}') return",
    "await page.fill('#{c}', '{v}')",
    'localStorage.setItem("{c}", "{v}")',
    "headers: { '{k}': '{v}' }",
    'const {c} = `{v}`',
    "class A { {c} = '{v}' }",
  ],
  typescript: ["private readonly {c}: string = '{v}'", "let {c}: string | undefined = '{v}'"],
  go: [
    '{c} := "{v}"',
    'var {c} string = "{v}"',
    'const {c} = `{v}`',
    '\t{C}: "{v}",',
    'os.Setenv("{N}", "{v}")',
    'flag.String("{k}", "{v}", "the secret")',
    '{c} := []byte("{v}")',
    'if {c} != "{v}" {',
  ],
  c: [
    '#define {N} "{v}"',
    'const char *{n} = "{v}";',
    'static char {n}[] = "{v}";',
    'if (strcmp({n}, "{v}") == 0)',
    'cfg->{n} = "{v}";',
    '.{n} = "{v}",',
  ],
  cpp: ['std::string {n}("{v}");', 'const auto {c} = "{v}"s;', 'QString {c} = QStringLiteral("{v}");'],
  csharp: [
    'var {c} = "{v}";',
    'public string {C} { get; set; } = "{v}";',
    'new Client { {C} = "{v}" }',
    '"Server=db;Database=app;{C}={v};"',
    'const string {C} = @"{v}";',
  ],
  php: [
    "$this->{c} = '{v}';",
    "'{n}' => '{v}',",
    "define('{N}', '{v}');",
    "${n} = '{v}';",
    "const {N} = '{v}';",
    "env('{N}', '{v}')",
    "putenv('{N}={v}');",
  ],
  ruby: [
    ":{n} => '{v}'",
    "{n}: '{v}'",
    "@{n} = '{v}'",
    "ENV['{N}'] ||= '{v}'",
    "ENV.fetch('{N}', '{v}')",
    "expect(user.{n}).to eq('{v}')",
    "fill_in '{C}', with: '{v}'",
  ],
  perl: ["my ${n} = '{v}';", "{n} => '{v}',", "$cfg->{{n}} = '{v}';"],
  rust: [
    'let {n} = "{v}";',
    'const {N}: &str = "{v}";',
    '.{n}("{v}")',
    'let {n} = String::from("{v}");',
    '{n}: "{v}".to_string(),',
  ],
  kotlin: ['val {c} = "{v}"', 'const val {N}: String = "{v}"', '{c} = "{v}"'],
  swift: ['let {c} = "{v}"', 'static let {c}: String = "{v}"'],
  scala: ['val {c} = "{v}"', 'val {c}: String = "{v}"'],
  objc: ['NSString *{c} = @"{v}";', '@"{c}": @"{v}",'],
  lua: ['local {n} = "{v}"', '{n} = "{v}",', '["{n}"] = "{v}"'],
  erlang: ['{{n}, "{v}"}', '{{n}, <<"{v}">>}'],
  elixir: ['{n}: "{v}"', '@{n} "{v}"'],
  clojure: [':{k} "{v}"'],
  dart: ["final {c} = '{v}';"],
  groovy: ["{c} = '{v}'", "{c} '{v}'"],
  sql: [
    "CREATE USER bob IDENTIFIED BY '{v}';",
    "ALTER USER bob WITH PASSWORD '{v}';",
    "SET PASSWORD FOR 'bob'@'%' = PASSWORD('{v}');",
    "CREATE LOGIN bob WITH PASSWORD = '{v}'",
  ],
  powershell: [
    "${c} = '{v}'",
    'ConvertTo-SecureString "{v}" -AsPlainText -Force',
    '$env:{N} = "{v}"',
    'Connect -{C} "{v}"',
    '@{ {C} = "{v}" }',
  ],
  bash: [
    '{N}={v}',
    'export {N}="{v}"',
    "{N}='{v}' run",
    'tool --{k} {v} --verbose',
    'tool --{k}={v}',
    "tool --{k} '{v}'",
    'curl -H "X-{k}: {v}" https://host.io',
    'curl "https://api.host.io/v1?{n}={v}&page=2"',
    'curl -u bob:{v} https://host.io',
    'docker run -e {N}={v} image',
    'PGPASSWORD={v} psql',
    'sshpass -p {v} ssh host',
    'mysql -uroot -p{v} app',
    'echo "root:{v}" | chpasswd',
    'net user bob {v} /add',
    'zip -P {v} x.zip f',
    '7z a -p{v} x.7z f',
  ],
  batch: ['set {N}={v}'],
  dockerfile: ['ENV {N}={v}', 'ENV {N} {v}', 'ARG {N}={v}', 'ARG {N}="{v}"'],
  yaml: [
    '{n}: {v}',
    '  {c}: "{v}"',
    '  - {N}={v}',
    '  - "{N}={v}"',
    '- name: {N}\n  value: {v}',
    '- name: {N}\n  value: "{v}"',
    'env: { {N}: {v} }',
    '{n}: >-\n  {v}\n',
    '{n}: !!str {v}',
    'args: ["--{k}={v}"]',
    'args: ["--{k}", "{v}"]',
  ],
  json: [
    '{ "{c}": "{v}" }',
    '"{N}": "{v}",',
    '{"name": "{N}", "value": "{v}"}',
    '{"key": "{n}", "value": "{v}"}',
    '"body": "{\\"{c}\\": \\"{v}\\"}"',
    '"source": ["{n} = \\"{v}\\"\\n"]',
    '"env": ["{N}={v}"]',
  ],
  toml: ['{n} = "{v}"', "{k} = '{v}'"],
  ini: ['{n} = {v}', '{n}={v} ; note', '{k}: {v}', 'db.{n} = "{v}"'],
  properties: ['app.{n}={v}', 'app.{k}: {v}', 'app.{c} = {v}'],
  dotenv: ['{N}={v}', "{N}='{v}'", 'export {N}={v}'],
  terraform: [
    '{n} = "{v}"',
    'variable "{n}" {\n  default = "{v}"\n}',
    'variable "{n}" {\n  type = string\n  default = "{v}"\n}',
  ],
  xml: [
    '<{n}>{v}</{n}>',
    '<{c} type="text">{v}</{c}>',
    '<{c}><![CDATA[{v}]]></{c}>',
    '<add key="{n}" value="{v}"/>',
    '<property name="{c}" value="{v}"/>',
    '<property name="{c}">{v}</property>',
    '<user name="bob" {c}="{v}"/>',
    '<string name="{n}">{v}</string>',
    '<key>{c}</key>\n<string>{v}</string>',
    '<param-name>{c}</param-name>\n<param-value>{v}</param-value>',
  ],
  html: ['<input type="password" name="{n}" value="{v}">', '<input name="{n}" type="hidden" value="{v}">'],
  markdown: ['{n}: {v}', '- **{n}**: {v}', '{n}: `{v}`', 'the {n} is `{v}`', '| {n} | {v} |', '    {n}={v}'],
  text: ['{n}={v}', 'INFO connected with {n}={v} after retry', '{C}: {v}', 'bob logs in with {n} "{v}"'],
}

/** Addresses and calls that hold a password without a name. */
const NAMELESS: Record<string, readonly string[]> = {
  python: [
    'url = "postgresql://bob:{v}@db:5432/app"',
    "requests.get(u, auth=('bob', '{v}'))",
    "smtp.login('bob@host.io', '{v}')",
    "HTTPBasicAuth('bob', '{v}')",
    "pymysql.connect('db', 'root', '{v}', 'app')",
    "User.objects.create_user('bob', 'b@host.io', '{v}')",
    'jwt.encode(claims, "{v}", algorithm="HS256")',
  ],
  php: [
    "mysqli_connect('db', 'root', '{v}')",
    'new mysqli("db", "root", "{v}", "app")',
    "new PDO($dsn, 'root', '{v}')",
  ],
  java: [
    'DriverManager.getConnection(url, "sa", "{v}");',
    'new UsernamePasswordCredentials("bob", "{v}")',
    'login("bob", "{v}");',
  ],
  go: ['req.SetBasicAuth("bob", "{v}")'],
  ruby: ['http.basic_auth "bob", "{v}"'],
  javascript: [
    "jwt.sign(claims, '{v}')",
    "crypto.createHmac('sha256', '{v}')",
    "mongoose.connect('mongodb://bob:{v}@db/app')",
  ],
  perl: ['DBI->connect("dbi:mysql:app", "root", "{v}")'],
  yaml: ['DATABASE_URL: mysql://root:{v}@db/app'],
}

const NAMES = ['password', 'db_password', 'api_key', 'client_secret', 'access_token', 'encryption_key']
const VALUES = ['{base62:14}', '{hex:32}', '{lower:6}{digits:3}', '{base62:7}!{base62:4}', '{base64:40}']

describe('of all that may be a secret', () => {
  for (const [language, shapes] of Object.entries(SHAPES))
    it(`nothing is overlooked in the ways ${language} has of giving a name its value`, () => {
      expect(shapes.flatMap(shape => NAMES.flatMap(name => overlooked(language, shape, name)))).toEqual([])
    })

  for (const [language, shapes] of Object.entries(NAMELESS))
    it(`nothing is overlooked in the calls and addresses of ${language} that hold one without a name`, () => {
      expect(shapes.flatMap(shape => overlooked(language, shape, ''))).toEqual([])
    })
})

/** The texts in which the value is no candidate, or more or less of the text is. */
function overlooked(language: string, shape: string, name: string): string[] {
  return VALUES.flatMap((template, index) => {
    const value = sample(template, `${shape} ${name} ${index}`)
    // A slash or an equals sign ends what stands bare in an address, and a slash begins an option of Windows.
    if (/[/+=]/.test(value) && /:\/\/|\?|net user/.test(shape)) return []
    const text = filled(shape, name).replaceAll('{v}', () => value)
    return candidatesOf(text, findAnchors(text), language).some(found => found.text === value) ? [] : [text]
  })
}

function filled(shape: string, name: string): string {
  const camel = name.replace(/_(.)/g, (_, char: string) => char.toUpperCase())
  return shape
    .replaceAll('{n}', name)
    .replaceAll('{N}', name.toUpperCase())
    .replaceAll('{c}', camel)
    .replaceAll('{C}', camel.charAt(0).toUpperCase() + camel.slice(1))
    .replaceAll('{k}', name.replaceAll('_', '-'))
}
