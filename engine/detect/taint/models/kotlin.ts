import type { SourceSpec, TaintModel } from '../../../base/records/taint-model.ts'
import { model as java } from './java.ts'

/** What Kotlin writes as a property where Java has a getter, and what Ktor and Android bring. */
const SOURCES: SourceSpec[] = [
  {
    kind: 'stdin',
    label: 'standard input',
    calls: ['readLine', 'readln', 'readlnOrNull'],
    words: ['readLine()', 'readln'],
  },
  {
    kind: 'argument',
    label: 'command-line argument',
    parameters: [{ function: '^main$', types: ['Array'], names: ['args', 'argv'] }],
    words: ['main'],
  },
  {
    kind: 'network',
    label: 'response to an outgoing request',
    calls: ['java.net.URL.readText', 'java.net.URL.readBytes'],
    words: ['URL'],
    near: ['readText', 'readBytes'],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    members: [
      'queryString',
      'parameterMap',
      'cookies',
      'requestURI',
      'pathInfo',
      'inputStream',
      'reader',
      'headerNames',
    ].map(name => `*.${name}`),
    receiver: '(?i)^(?:this\\.)?\\w*req(?:uest)?$',
    words: ['req', 'request'],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    members: ['*.submittedFileName', '*.originalFilename', '*.originalFileName'],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    members: ['*.parameters', '*.queryParameters', '*.headers', '*.cookies', '*.rawQueryParameters'],
    receiver: '^(?:\\w+\\.)*(?:call|context)(?:\\.request)?$',
    words: ['call', 'context.call'],
    near: ['call'],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    calls: [
      '*.receiveText',
      '*.receiveParameters',
      '*.receive',
      '*.receiveStream',
      '*.receiveNullable',
      '*.receiveMultipart',
    ],
    receiver: '^(?:\\w+\\.)*(?:call|context)$',
    words: ['receiveText', 'receiveParameters', 'receive', 'receiveStream', 'receiveNullable', 'receiveMultipart'],
  },
  {
    kind: 'request',
    label: 'HTTP request data',
    calls: ['*.header', '*.queryString', '*.uri'],
    receiver: '^(?:\\w+\\.)*call\\.request$',
    words: ['call.request'],
  },
  {
    kind: 'request',
    label: 'WebSocket message',
    calls: ['*.readText', '*.readBytes'],
    receiver: '^(?:frame|it|\\((?:frame|it) as Frame\\.\\w+\\))$',
    imports: '^io\\.ktor\\.(?:server\\.)?websocket\\b',
    words: ['Frame'],
    near: ['readText', 'readBytes'],
  },
  {
    kind: 'intent',
    label: 'Android intent data',
    calls: [
      'getStringExtra',
      'getStringArrayExtra',
      'getStringArrayListExtra',
      'getBundleExtra',
      'getParcelableExtra',
      'getSerializableExtra',
      'getCharSequenceExtra',
      'getDataString',
    ].map(name => `*.${name}`),
  },
  {
    kind: 'intent',
    label: 'Android intent data',
    members: ['*.data', '*.dataString', '*.extras'],
    receiver: '^(?:\\w+\\??\\.)*(?:intent|getIntent\\(\\))\\??$',
    words: ['intent'],
  },
]

/** Kotlin on the server (Ktor, Spring, servlets) and on Android: the libraries are Java's. */
export const model: TaintModel = {
  ...java,
  languages: ['kotlin'],
  sources: [...java.sources, ...SOURCES],
  cleaners: [
    ...java.cleaners,
    {
      calls: [
        ...['toInt', 'toLong', 'toShort', 'toDouble', 'toFloat', 'toByte', 'toBigInteger', 'toBigDecimal'].flatMap(
          name => [`*.${name}`, `*.${name}OrNull`],
        ),
        '*.toBoolean',
        '*.toBooleanStrict',
        '*.toBooleanStrictOrNull',
        'enumValueOf',
      ],
      cleans: ['*'],
    },
    {
      calls: ['*.encodeURLParameter', '*.encodeURLPath', '*.encodeURLPathPart', 'java.net.URLEncoder.encode'],
      cleans: ['url', 'redirect', 'html', 'path', 'header', 'log'],
    },
    { calls: ['Regex.escape', 'Regex.fromLiteral'], cleans: ['regex'] },
    { calls: ['*.escapeHTML', '*.htmlEncode', 'android.text.TextUtils.htmlEncode'], cleans: ['html'] },
  ],
  guards: [
    ...java.guards,
    { calls: ['*.matches', '*.matchEntire'], argument: 0, cleans: ['*'], expression: 'receiver' },
  ],
  passes: [...java.passes, '*.toByteArray', '*.decodeToString', '*.trimIndent'],
  plainTypes: [...java.plainTypes, 'Int', 'Char', 'UInt', 'ULong', 'Unit'],
  lists: [...java.lists, 'MutableList'],
}
