import type { CleanerSpec, GuardSpec } from '../../../base/records/taint-model.ts'

/** What takes the danger out of a text in Java. */
export const CLEANERS: CleanerSpec[] = [
  {
    calls: [
      '*.parseInt',
      '*.parseLong',
      '*.parseDouble',
      '*.parseFloat',
      '*.parseShort',
      '*.parseByte',
      '*.parseBoolean',
      '*.fromString',
      '*.hashCode',
      '*.digest',
      '*.doFinal',
      '*.ordinal',
      '*.encodeToString',
      '*.bcrypt',
    ],
    cleans: ['*'],
  },
  {
    calls: [
      'java.lang.Integer.valueOf',
      'java.lang.Long.valueOf',
      'java.lang.Double.valueOf',
      'java.lang.Boolean.valueOf',
      'java.lang.Enum.valueOf',
      // The constants of an enumeration; of numbers as well.
      '/^(?:[\\w.]+\\.)?(?!String\\.)[A-Z]\\w*\\.valueOf$/',
      'java.lang.Integer.decode',
      'java.lang.Long.decode',
      'new java.math.BigInteger',
      'new java.math.BigDecimal',
      'new java.lang.Integer',
      'new java.lang.Long',
    ],
    cleans: ['*'],
  },
  {
    calls: [
      '*.encodeForHTML',
      '*.encodeForHTMLAttribute',
      '*.escapeHtml',
      '*.escapeHtml3',
      '*.escapeHtml4',
      '*.escapeHTML',
      '*.htmlEscape',
      '*.escapeXml',
      '*.escapeXml10',
      '*.escapeXml11',
      '*.forHtml',
      '*.forHtmlContent',
      '*.forHtmlAttribute',
      '*.htmlEncode',
      '*.encodeHtml',
      '*.stripTags',
      '*.getSafeHTML',
      '/^(?:.*\\.)?Jsoup\\.clean$/',
      '/^(?:.*\\.)?HtmlEscapers?\\..*escape$/',
      '/(?:^|\\.)Escape\\.(?:html|xml)\\w*$/',
      '/\\.(?:escape|encode|sanitize|clean|filter)(?:For)?_?(?:HTML|Html|XSS|Xss|XML|Xml|Xhtml)\\w*$/',
      // A class of its own for it: `HTMLFilter.filter`, `XmlEscaper.escape`.
      '/(?:^|\\.)\\w*(?:HTML|Html|XML|Xml|XSS|Xss)\\w*\\.(?:filter|escape|encode|sanitize|quote)$/',
      '/^(?:escape|encode|sanitize|clean|filter)(?:For)?_?(?:HTML|Html|XSS|Xss|XML|Xml)\\w*$/',
    ],
    cleans: ['html'],
  },
  {
    calls: [
      '*.encodeForJavaScript',
      '*.escapeEcmaScript',
      '*.forJavaScript',
      '*.escapeJavaScript',
      '*.forJavaScriptBlock',
      '*.escapeJson',
    ],
    cleans: ['html', 'log'],
  },
  {
    calls: [
      'java.net.URLEncoder.encode',
      '*.encodeForURL',
      '*.forUriComponent',
      '*.urlEncode',
      'org.springframework.web.util.UriUtils.encode',
      '*.encodePathSegment',
      '*.encodeQueryParam',
    ],
    cleans: ['html', 'header', 'log', 'url', 'redirect', 'path', 'ldap', 'xpath', 'shell'],
  },
  {
    calls: ['*.encodeForSQL', '*.escapeSql', '*.quoteIdentifier', '*.enquoteLiteral', '*.enquoteIdentifier'],
    cleans: ['sql'],
  },
  {
    calls: [
      '*.encodeForLDAP',
      '*.encodeForDN',
      'new org.springframework.ldap.filter.EqualsFilter',
      'new org.springframework.ldap.filter.LikeFilter',
      '*.forLdap',
      '*.filterEncode',
      '*.nameEncode',
      '*.escapeLDAPSearchFilter',
      '/[eE]scape\\w*(?:Ldap|LDAP|Filter|DN)\\w*$/',
    ],
    cleans: ['ldap'],
  },
  { calls: ['*.encodeForXPath', '/[eE]scape\\w*X[pP]ath\\w*$/'], cleans: ['xpath'] },
  { calls: ['*.encodeForOS', '/[eE]scape\\w*(?:Shell|Xsi)\\w*$/'], cleans: ['shell'] },
  { calls: ['java.util.regex.Pattern.quote'], cleans: ['regex'] },
  // Line breaks, or all that is no letter, taken out.
  {
    calls: ['*.replaceAll', '*.replace', '*.replaceFirst'],
    cleans: ['header', 'log'],
    when: [{ argument: 0, matches: '[\\r\\n]|\\\\[rnRsWv]|\\[\\^' }],
  },
  { calls: ['*.replaceAll', '*.replace'], cleans: ['html'], when: [{ argument: 0, matches: '<|\\[\\^' }] },
  {
    calls: ['*.replace', '*.replaceAll'],
    cleans: ['sql'],
    when: [
      { argument: 0, matches: "^'$" },
      { argument: 1, matches: "^''$" },
    ],
  },
  { calls: ['*.replace', '*.replaceAll'], cleans: ['path'], when: [{ argument: 0, matches: '^(?:\\.\\.|\\[\\^)' }] },
  // Parts of an address that are encoded as they are put into it.
  {
    calls: ['*.addQueryParameter', '*.addPathSegment', '*.queryParam', '*.buildAndExpand', '*.expand'],
    cleans: ['url', 'redirect'],
  },
  {
    calls: ['org.apache.commons.io.FilenameUtils.getName', '*.getFileName', 'java.io.File.getName'],
    cleans: ['path'],
  },
  { calls: ['*.getCanonicalPath', '*.getCanonicalFile', '*.toRealPath', '*.normalize'], cleans: ['normal-path'] },
]

/** Checks after which a text is clean in Java. */
export const GUARDS: GuardSpec[] = [
  { calls: ['*.startsWith'], argument: 'receiver', cleans: ['path-if-normal'], fixed: { argument: 0 } },
  {
    calls: ['*.startsWith'],
    argument: 'receiver',
    cleans: ['redirect', 'url'],
    fixed: { argument: 0, matches: '^https?://[^/]+/' },
  },
  { calls: ['*.matches'], argument: 'receiver', cleans: ['*'], expression: 0 },
  { calls: ['java.util.regex.Pattern.matches'], argument: 1, cleans: ['*'], expression: 0 },
  // What the adapter makes of `NAME.matcher(text).matches()` and `….find()`.
  { calls: ['*.isMatchOf'], argument: 0, cleans: ['*'], expression: 'receiver' },
  {
    calls: ['*.hasMatchIn'],
    argument: 0,
    cleans: ['*'],
    expression: 'receiver',
    fixed: { argument: 'receiver', matches: '^(?:\\^|\\\\A).*(?:\\$|\\\\[zZ])$' },
  },
]
