import type { SourceSpec } from '../../../base/records/taint-model.ts'

const LOCATION = 'browser.location'

/** What stands in code that asks a page for its address. */
const PAGE = [
  'location.search',
  'location.hash',
  'location.href',
  'location.pathname',
  'window.location',
  'document.location',
  '= location',
  '(location',
  'document.URL',
  'documentURI',
  'baseURI',
  'document.referrer',
  'window.name',
  'useSearchParams',
]

const of = (type: string, names: readonly string[]): string[] => names.map(name => `${type}.${name}`)

/** Where input comes from in browsers: the page's address, and messages of other windows. */
export const JAVASCRIPT_PAGE: SourceSpec[] = [
  {
    kind: 'page',
    label: 'page URL',
    members: [
      'location.search',
      'document.referrer',
      'window.name',
      ...of(LOCATION, ['search', 'hash', 'href', 'pathname', 'state', 'query']),
    ],
    calls: [
      'useSearchParams',
      'next/navigation.useSearchParams',
      'react-router-dom.useSearchParams',
      'react-router.useSearchParams',
    ],
    words: PAGE,
  },
  // The mark before a fragment stays until it is cut off, and jQuery makes no markup of `#…`.
  {
    kind: 'page',
    label: 'page URL',
    members: ['location.hash'],
    begins: '#',
    words: PAGE,
  },
  // The whole address, or its path: it begins on the own host, whatever follows.
  {
    kind: 'page',
    label: 'page URL',
    members: [
      'location.href',
      'document.URL',
      'document.documentURI',
      'document.baseURI',
      'window.location',
      'document.location',
    ],
    begins: 'https://\uFFFC/',
    words: PAGE,
  },
  {
    kind: 'page',
    label: 'page URL',
    members: ['location.pathname'],
    harmless: ['html-undecoded'],
    begins: '/\uFFFC',
    words: PAGE,
  },
  {
    kind: 'page',
    label: 'page URL',
    carrier: true,
    type: LOCATION,
    calls: ['react-router-dom.useLocation', 'react-router.useLocation', 'next/router.useRouter', 'vue-router.useRoute'],
    words: ['useLocation', 'useRouter', 'useRoute'],
  },
  {
    kind: 'page',
    label: 'page URL',
    members: ['*.queryParams', '*.queryParamMap', '*.paramMap', '*.snapshot.params'],
    receiver: '(?i)(?:route|snapshot)$',
  },
  {
    kind: 'page',
    label: 'page URL',
    members: ['*.query', '*.params'],
    receiver: '^(?:this\\.)?\\$route$',
    words: ['$route'],
  },
  {
    kind: 'message',
    label: 'message from another window',
    members: ['*.data'],
    receiver: '^(?:e|ev|evt|event|msg|message|messageEvent)$',
    words: ["'message'", '"message"', 'onmessage'],
    near: ['e', 'ev', 'evt', 'event', 'msg', 'message', 'messageEvent'].map(name => `${name}.data`),
  },
]
