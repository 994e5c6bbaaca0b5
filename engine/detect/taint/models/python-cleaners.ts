import type { CleanerSpec, GuardSpec } from '../../../base/records/taint-model.ts'

/** How an expression ends that is asked for the whole of a text, and how one that is looked for anywhere in it is. */
const TO_THE_END = '(?:\\$|\\\\Z)$'
const WHOLE = '^(?:\\^|\\\\A).*(?:\\$|\\\\Z)$'

/** What takes the danger out of a text in Python and in its frameworks. */
export const CLEANERS: CleanerSpec[] = [
  {
    calls: [
      'int',
      'float',
      'bool',
      'len',
      'ord',
      'hash',
      'id',
      'isinstance',
      'uuid.UUID',
      'decimal.Decimal',
      'Decimal',
      '/^(?:werkzeug\\.security\\.)?generate_password_hash$/',
      '/^hashlib\\.\\w+$/',
      '*.hexdigest',
      '*.digest',
      'datetime.datetime.strptime',
      'datetime.datetime.fromisoformat',
      'ipaddress.ip_address',
    ],
    cleans: ['*'],
  },
  {
    calls: [
      'html.escape',
      'cgi.escape',
      'markupsafe.escape',
      'flask.escape',
      'markupsafe.Markup.escape',
      'flask.Markup.escape',
      'django.utils.html.escape',
      'django.utils.html.conditional_escape',
      'django.utils.html.strip_tags',
      'django.utils.html.format_html',
      'bleach.clean',
      'nh3.clean',
      'xml.sax.saxutils.escape',
      'xml.sax.saxutils.quoteattr',
      'werkzeug.utils.escape',
      'jinja2.escape',
      'tornado.escape.xhtml_escape',
      '*.xhtml_escape',
      'flask.render_template',
      // Templates of a handler: what they show, they escape.
      '*.render_template',
      '*.render_string',
      'django.shortcuts.render',
      'flask.jsonify',
      '/(?:^|[._])(?:escape|sanitize|clean)_?(?:html|xss|for_html)\\w*$/',
      '/(?:^|[._])html_?(?:escape|encode)\\w*$/',
      '/^escape$/',
    ],
    cleans: ['html'],
  },
  {
    calls: [
      'urllib.parse.quote',
      'urllib.parse.quote_plus',
      'urllib.parse.urlencode',
      'urllib.quote',
      'urllib.quote_plus',
      'urllib.urlencode',
      'django.utils.http.urlquote',
      'werkzeug.urls.url_quote',
      // By whatever module a program has it, and of Django's `request.GET`.
      '/(?:^|\\.)(?:urlencode|quote_plus|urlquote|url_escape)$/',
      '/(?:^|\\.)urllib\\.parse\\.quote$/',
    ],
    cleans: ['html', 'header', 'log', 'url', 'redirect', 'ldap', 'xpath', 'shell'],
  },
  { calls: ['shlex.quote', 'pipes.quote'], cleans: ['shell'] },
  { calls: ['re.escape'], cleans: ['regex'] },
  {
    calls: [
      'ldap.filter.escape_filter_chars',
      'ldap3.utils.conv.escape_filter_chars',
      'ldap.filter.filter_format',
      'ldap.dn.escape_dn_chars',
      'ldap3.utils.dn.escape_rdn',
      '/escape_filter_chars$/',
      '/escape_rdn$/',
    ],
    cleans: ['ldap'],
  },
  {
    calls: [
      'werkzeug.utils.secure_filename',
      'secure_filename',
      '*.secure_filename',
      'os.path.basename',
      'werkzeug.utils.safe_join',
      'werkzeug.security.safe_join',
      'flask.safe_join',
      '/get_valid_filename$/',
      '/(?:^|[._])(?:\\w+_)?safe_(?:join|path|abs_?path|file_?path)\\w*$/',
    ],
    cleans: ['path'],
  },
  // What the program signed or encrypted itself, and nobody changed since.
  {
    calls: [
      '/(?:^|[._])(?:unsign(?:_object)?|get_signed_cookie|get_secure_cookie|decode_signed_value|fernet\\.decrypt)$/',
    ],
    cleans: ['*'],
  },
  { calls: ['os.path.realpath', 'os.path.abspath', 'os.path.normpath', '*.resolve'], cleans: ['normal-path'] },
  { calls: ['ast.literal_eval'], cleans: ['code'] },
  { calls: ['json.dumps'], cleans: ['log', 'header'] },
  {
    calls: [
      '/escape_string$/',
      '*.escape_string',
      '*.quote_identifier',
      'psycopg2.sql.Identifier',
      'psycopg2.sql.Literal',
      'psycopg.sql.Identifier',
      'psycopg.sql.Literal',
    ],
    cleans: ['sql'],
  },
  // The own page, with an address as a parameter of it.
  { calls: ['/(?:^|[._])(?:(?:make|build)_(?:\\w+_)?|login_)url$|(?:^|[._])url_for_\\w+$/'], cleans: ['redirect'] },
  { calls: ['flask.url_for', 'django.urls.reverse'], cleans: ['redirect', 'html', 'header'] },
  // `map(int, texts)`
  {
    calls: ['map'],
    cleans: ['*'],
    when: [
      { argument: 0, written: '^(?:int|float|bool|len|ord|hash|uuid\\.UUID|UUID|Decimal|ipaddress\\.ip_address)$' },
    ],
  },
  { calls: ['map'], cleans: ['shell'], when: [{ argument: 0, written: '(?:^|\\.)quote$' }] },
  { calls: ['map'], cleans: ['html'], when: [{ argument: 0, written: '(?:^|\\.)escape$' }] },
  // Everything but harmless characters taken out.
  {
    calls: ['re.sub'],
    cleans: ['*'],
    when: [
      { argument: 0, matches: '^\\[\\^(?:[A-Za-z0-9_\\-]|\\\\[wd-])+\\][+*]?$' },
      { argument: 1, matches: '^[\\w-]?$' },
    ],
  },
  { calls: ['*.replace'], cleans: ['xpath'], when: [{ argument: 0, matches: "^'$" }] },
  { calls: ['repr'], cleans: ['log', 'header'] },
]

/** Checks of Python and of its frameworks. */
export const GUARDS: GuardSpec[] = [
  { calls: ['*.startswith'], argument: 'receiver', cleans: ['path-if-normal'], fixed: { argument: 0 } },
  {
    calls: ['*.startswith'],
    argument: 'receiver',
    cleans: ['redirect', 'url'],
    fixed: { argument: 0, matches: '^https?://[^/]+/' },
  },
  {
    calls: ['*.isdigit', '*.isalnum', '*.isalpha', '*.isnumeric', '*.isdecimal', '*.isidentifier'],
    argument: 'receiver',
    cleans: ['*'],
  },
  { calls: ['re.fullmatch'], argument: 1, cleans: ['*'], expression: 0 },
  // Looked for among the languages that the program has.
  { calls: ['django.utils.translation.check_for_language'], argument: 0, cleans: ['*'] },
  {
    calls: ['re.match'],
    argument: 1,
    cleans: ['*'],
    expression: 0,
    fixed: { argument: 0, matches: TO_THE_END },
  },
  { calls: ['re.search'], argument: 1, cleans: ['*'], expression: 0, fixed: { argument: 0, matches: WHOLE } },
  { calls: ['re.Pattern.fullmatch'], argument: 0, cleans: ['*'], expression: 'receiver' },
  {
    calls: ['re.Pattern.match'],
    argument: 0,
    cleans: ['*'],
    expression: 'receiver',
    fixed: { argument: 'receiver', matches: TO_THE_END },
  },
  {
    calls: ['re.Pattern.search'],
    argument: 0,
    cleans: ['*'],
    expression: 'receiver',
    fixed: { argument: 'receiver', matches: WHOLE },
  },
  { calls: ['int', 'float', 'uuid.UUID', 'UUID', 'ipaddress.ip_address'], argument: 0, cleans: ['*'], raises: true },
  { calls: ['*.relative_to'], argument: 'receiver', cleans: ['path'], raises: true },
  { calls: ['/url_has_allowed_host_and_scheme$|is_safe_url$/'], argument: 0, cleans: ['redirect', 'url'] },
  { calls: ['*.is_relative_to'], argument: 'receiver', cleans: ['path'] },
]
