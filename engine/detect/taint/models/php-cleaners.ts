import type { CleanerSpec, GuardSpec } from '../../../base/records/taint-model.ts'

/** What takes the danger out of a text in PHP and in its frameworks. */
export const cleaners: CleanerSpec[] = [
  {
    calls: [
      '/^(?:intval|floatval|doubleval|boolval|as_number|absint|count|strlen|mb_strlen|ord|crc32|md5|sha1|hash|hash_hmac|md5_file|sha1_file|bin2hex|dechex|number_format|round|floor|ceil|abs|min|max|mt_rand|rand|date|gmdate|strtotime|mktime|time|checkdate|uniqid|password_hash|password_verify|crypt|random_int|sanitize_key|sanitize_title|sanitize_html_class|sanitize_user|strcmp|strcasecmp|strncmp|strncasecmp|strpos|stripos|strrpos|substr_count|gettype|version_compare|array_sum|ip2long|similar_text|levenshtein|inet_pton|array_search|wp_create_nonce|wp_verify_nonce|wp_hash_password|filemtime|filesize|file_exists|is_\\w+|ctype_\\w+|array_flip)$/',
      // An application's own functions that make a number, by their names.
      '/(?:^|\\.)number$/',
      '/(?:^|[._])(?:(?:to|as|clean|parse|force|make)_?(?:int|integer|number)|get_?(?:int|integer)|int_?val|int_?value|only_?digits)$/',
      'new DateTime',
      'new DateTimeImmutable',
      'Carbon.parse',
    ],
    cleans: ['*'],
  },
  {
    calls: [
      '/(?:^|[.>])(?:htmlspecialchars|htmlentities|strip_tags|nl2br_escaped|esc_html\\w*|esc_attr\\w*|esc_url\\w*|esc_js|esc_textarea|esc_xml|wp_kses\\w*|wp_strip_all_tags|sanitize_text_field|sanitize_textarea_field|sanitize_email|sanitize_url|check_plain|filter_xss\\w*|json_encode|wp_json_encode|http_build_query|urlencode|rawurlencode|base64_encode|htmlSpecialChars)$/',
      '/(?:^|[._])(?:\\w*[eE]scape_?(?:[hH]tml|HTML|[aA]ttr|[jJ]s|JS|[xX]ml)\\w*|[hH]tml_?[eE]scape\\w*|[eE]ncode_?[hH]tml\\w*|[pP]urify|xss_?[cC]lean\\w*|[cC]lean_?[xX]ss|[sS]anitize\\w*|specialchars)$/',
      'html.quote',
      'rcube.Q',
      'Html.encode',
      'Core.mimeDefaultCharset',
      '*.escapeHtml',
      '*.purify',
      '/^(?:escape|html_escape|esc|e|h|hsc)$/',
    ],
    cleans: ['html'],
  },
  {
    calls: ['urlencode', 'rawurlencode', 'http_build_query', 'base64_encode'],
    cleans: ['header', 'log', 'url', 'redirect', 'ldap', 'xpath', 'shell', 'path', 'sql', 'code'],
  },
  { calls: ['escapeshellarg', 'escapeshellcmd'], cleans: ['shell'] },
  // What a template shows of its values is for the template to escape.
  {
    calls: ['/(?:[vV]iew|[tT]wig|[sS]marty|[tT]pl|[tT]emplates?)(?:->|\\.)(?:render|renderView|fetch)$/'],
    cleans: ['html'],
  },
  // Marks for values that are given apart: as many as there are values.
  { calls: ['/(?:^|[._\\\\])\\w*(?:q(?:uestion)?_?marks|placeholders?|Placeholders?)$/'], cleans: ['sql'] },
  {
    calls: ['array_map'],
    cleans: ['sql'],
    when: [
      {
        argument: 0,
        written:
          '^(?:static\\s+)?(?:function|fn)\\s*\\([^()]*\\)\\s*(?:\\{\\s*return|=>)\\s*[\'"]\\?[\'"]\\s*;?\\s*\\}?$',
      },
    ],
  },
  { calls: ['preg_quote'], cleans: ['regex'] },
  { calls: ['ldap_escape'], cleans: ['ldap'] },
  {
    calls: [
      'basename',
      'sanitize_file_name',
      'wp_unique_filename',
      'wp_basename',
      'validate_file',
      'cleanID',
      'wikiFN',
      'mediaFN',
      '/^(?:\\w+\\.)?(?:secure|safe|clean|sanitize)_?[fF]ile_?[nN]ame$/',
    ],
    cleans: ['path'],
  },
  // Without a slash nothing is an address.
  { calls: ['basename', 'wp_basename'], cleans: ['url'] },
  { calls: ['realpath'], cleans: ['normal-path'] },
  // What has lost every `..` stays below the folder that stands before it.
  {
    calls: ['str_replace'],
    cleans: ['path'],
    when: [
      { argument: 0, matches: '^\\.\\.$' },
      { argument: 1, matches: '^$' },
    ],
  },
  {
    calls: [
      'mysqli_real_escape_string',
      'mysqli_escape_string',
      'mysql_real_escape_string',
      'mysql_escape_string',
      'addslashes',
      'pg_escape_string',
      'sqlite_escape_string',
      'esc_sql',
      'db_escape_string',
      '*.real_escape_string',
      '*.escape_string',
      '*.escapeString',
      '*.escape',
      '*._real_escape',
      '*.esc_like',
      '*.escape_like_str',
    ],
    cleans: ['sql-escaped'],
  },
  { calls: ['the quotes'], cleans: ['sql-if-escaped'] },
  {
    calls: [
      '*.quote',
      '*.quoteName',
      '*.quoteString',
      '*.quoteInto',
      '*.quoteIdentifier',
      '*.quote_identifier',
      '*.quoteSmart',
      'Util.backquote',
      '*.backquote',
      // CodeIgniter's, which puts the quotes around it.
      '/(?:^|[._])this\\.db\\.escape$/',
      'pg_escape_literal',
      'pg_escape_identifier',
      'sanitize_sql_orderby',
      '~wpdb.prepare',
      '/(?:^|[._])qstr$/',
      // Names of columns and tables, quoted as such.
      '/(?:^|[._])(?:(?:escape|quote)_?(?:(?:identifier|ident|column|table)\\w*|ids?|names?)|(?:identifier|ident|idf)_?(?:escape|quote))$/',
    ],
    cleans: ['sql'],
  },
  { calls: ['json_encode', 'var_export', 'wp_json_encode'], cleans: ['log', 'header'] },
  { calls: ['var_export', 'json_encode'], cleans: ['code'] },
  { calls: ['wp_validate_redirect', 'wp_sanitize_redirect', '*.generateUrl', 'route', 'url'], cleans: ['redirect'] },
  { calls: ['wp_http_validate_url'], cleans: ['url'] },
]

/** Checks of PHP and of its frameworks. */
export const guards: GuardSpec[] = [
  {
    calls: [
      'is_numeric',
      'is_int',
      'is_bool',
      'ctype_digit',
      'ctype_alnum',
      'ctype_alpha',
      'ctype_xdigit',
      'as_number',
      'checkdate',
    ],
    argument: 0,
    cleans: ['*'],
  },
  // An application's own checks that end the request where there is no number.
  {
    calls: [
      '/(?:^|[._])(?:input_)?(?:validate|assert|ensure|require)_?(?:is_?)?(?:input_?)?(?:number|numeric|int|integer|digits)$/',
    ],
    argument: 0,
    cleans: ['*'],
    raises: true,
  },
  { calls: ['preg_match'], argument: 1, cleans: ['*'], expression: 0 },
  // Of what an address leads to over HTTP none of these knows anything.
  { calls: ['is_readable', 'is_dir', 'is_file', 'file_exists', 'is_writable'], argument: 0, cleans: ['url'] },
  { calls: ['Core.checkPageValidity', 'Util.checkParameters'], argument: 0, cleans: ['*'] },
  { calls: ['wp_http_validate_url', 'wp_validate_redirect'], argument: 0, cleans: ['url', 'redirect'] },
  { calls: ['validate_file'], argument: 0, cleans: ['path'], when: false },
  { calls: ['*.startsWith'], argument: 'receiver', cleans: ['path-if-normal'], fixed: { argument: 0 } },
  {
    calls: ['*.startsWith'],
    argument: 'receiver',
    cleans: ['redirect', 'url'],
    fixed: { argument: 0, matches: '^https?://[^/]+/|^/[^/]' },
  },
]
