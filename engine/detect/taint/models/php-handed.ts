import type { SourceSpec } from '../../../base/records/taint-model.ts'

const SENT = 'HTTP request data'
const ADDRESS = 'URL path parameter'

/** What frameworks hand over by the way in which a handler is written, and by members and methods of their own. */
export const handed: SourceSpec[] = [
  {
    kind: 'request',
    label: ADDRESS,
    parameters: [{ decorated: '^(?:public action|route)$', untyped: true }],
    words: ['Controller', 'CI_Controller', 'BaseController', 'AppController', 'ControllerBase', 'Route::', 'Livewire'],
    near: ['function'],
    // A part of the own address names no other host.
    harmless: ['redirect'],
  },
  {
    kind: 'request',
    label: SENT,
    parameters: [
      { annotations: ['MapRequestPayload', 'MapQueryString', 'MapQueryParameter'] },
      { types: ['WP_REST_Request'] },
    ],
    words: ['MapRequestPayload', 'MapQueryString', 'MapQueryParameter', 'WP_REST_Request'],
  },
  // What a page sets in a component of Livewire.
  { kind: 'request', label: SENT, calls: ['the page'], words: ['Livewire'], near: ['$this->'] },
  // Slim's parts of the address.
  {
    kind: 'request',
    label: ADDRESS,
    parameters: [{ names: ['$args'] }],
    imports: '^(?:Slim|Psr\\.Http)\\.',
    words: ['Slim', 'Psr'],
    near: ['$args'],
  },
  {
    kind: 'request',
    label: ADDRESS,
    calls: ['*.route'],
    receiver: '(?i)(?:^\\$|->)request(?:\\(\\))?$|^request\\(\\)$',
    when: [{ argument: 0, absent: false }],
    words: ['request->route', 'request()->route'],
  },
  {
    kind: 'request',
    label: SENT,
    members: ['*.bodyParams', '*.queryParams', '*.rawBody', '*.pathInfo', '*.url'],
    receiver: '(?i)(?:app->|this->)(?:request|getRequest\\(\\))$',
    words: ['bodyParams', 'queryParams', 'rawBody', 'pathInfo', 'url'],
    near: ['request->', 'getRequest()->'],
  },
  {
    kind: 'request',
    label: SENT,
    calls: ['*.segment', '*.get_request_header'],
    members: ['*.raw_input_stream'],
    receiver: '(?i)^\\$this->(?:uri|input)$',
    words: ['uri->segment', 'get_request_header', 'raw_input_stream'],
  },
  {
    kind: 'request',
    label: SENT,
    calls: ['get_query_var'],
    words: ['get_query_var'],
    // WordPress' own are mostly numbers, or were checked when the address was read.
    when: [
      {
        argument: 0,
        matches:
          '^(?!(?:m|p|w|cat|(?:c?page|paged|author|year|monthnum|day|hour|minute|second|more|feed|post_type|taxonomy|preview|embed)|(?:page|attachment|subpost)_id)$)',
      },
    ],
  },
  {
    kind: 'request',
    label: SENT,
    calls: ['*.getValue', '*.getValues', '*.getUserInput'],
    receiver: '(?i)^\\$form_?state$',
    words: ['form_state->', 'formState->'],
  },
  {
    kind: 'request',
    label: SENT,
    calls: ['*.getData'],
    receiver: '(?i)^\\$form(?:->get\\(.*\\))?$',
    imports: '^Symfony\\.',
    words: ['getData'],
    harmless: ['redirect', 'log'],
  },
  {
    kind: 'request',
    label: SENT,
    calls: ['*.fromRoute', '*.fromQuery', '*.fromPost', '*.fromHeader'],
    receiver: '^\\$this->params\\(\\)$',
    words: ['fromRoute', 'fromQuery', 'fromPost', 'fromHeader'],
  },
  {
    kind: 'request',
    label: SENT,
    calls: ['*.params'],
    receiver: '^\\$this$',
    when: [{ argument: 0, absent: false }],
    imports: '^(?:Laminas|Zend)\\.',
    words: ['Laminas', 'Zend'],
    near: ['params('],
  },
]
