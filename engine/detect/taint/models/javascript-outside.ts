import type { SourceSpec } from '../../../base/records/taint-model.ts'

const CLIENTS = ['axios', 'got', 'superagent', 'needle', 'ky', 'undici']

/** What is typed in, and what other machines send: over connections, and as answers to requests of the program's own. */
export const JAVASCRIPT_OUTSIDE: SourceSpec[] = [
  {
    kind: 'stdin',
    label: 'standard input',
    parameters: [{ annotations: ['Typed'] }],
    words: ['readline', 'stdin'],
    // A function is handed over: what it calls what it is given is its own affair.
    near: ['('],
  },
  {
    kind: 'stdin',
    label: 'standard input',
    calls: [
      'readline-sync.question',
      'readline-sync.prompt',
      'prompt-sync.prompt',
      'prompts.prompt',
      'inquirer.prompt',
    ],
    words: ['readline-sync', 'prompt-sync', 'inquirer'],
    near: ['question', 'prompt'],
  },
  {
    kind: 'stdin',
    label: 'standard input',
    calls: ['readline', 'node:readline', 'readline/promises', 'node:readline/promises'].map(
      name => `${name}.createInterface`,
    ),
    when: [{ argument: 0, written: '\\bprocess\\.stdin\\b' }],
    words: ['createInterface'],
  },
  {
    kind: 'argument',
    label: 'command-line argument',
    members: ['yargs.argv', 'optimist.argv'],
    calls: ['yargs.parse', 'yargs.parseSync'],
    words: ['yargs', 'optimist'],
  },
  {
    kind: 'argument',
    label: 'command-line argument',
    calls: ['*.opts'],
    receiver: '^(?:program|commander)$',
    words: ['commander'],
    near: ['.opts('],
  },
  // The file of what is typed in has the number 0.
  {
    kind: 'stdin',
    label: 'standard input',
    calls: ['fs.readFileSync', 'readFileSync'],
    when: [{ argument: 0, matches: '^(?:0|/dev/stdin)$' }],
    words: ['readFileSync(0', "readFileSync('/dev/stdin", 'readFileSync("/dev/stdin'],
  },
  {
    kind: 'network',
    label: 'network data',
    parameters: [{ annotations: ['Received'] }],
    words: ['net', 'tls', 'http', 'https'].flatMap(name => [
      `'${name}'`,
      `"${name}"`,
      `'node:${name}'`,
      `"node:${name}"`,
    ]),
    near: ['('],
  },
  {
    kind: 'network',
    label: 'response to an outgoing request',
    calls: [
      ...['fetch', 'node-fetch', 'axios', 'got'],
      ...CLIENTS.flatMap(name => ['get', 'post', 'put', 'request', 'fetch'].map(method => `${name}.${method}`)),
    ],
    words: ['fetch(', ...CLIENTS.flatMap(name => [`'${name}'`, `"${name}"`])],
    near: ['('],
  },
]
