import type { Syntax } from './syntax.ts'

/** What a function is by the place where it is written. */
export type Handler =
  | 'resolver'
  | 'listener'
  | 'told'
  | 'service'
  | 'procedure'
  | 'reader'
  | 'receiver'
  | 'sent'
  | 'called'

const ROOT_TYPES = /^['"]?(?:Query|Mutation|Subscription)['"]?$/

/** Frameworks whose handlers are given one object, mostly taken apart: `({ params, request }) => …`. */
const PARTS_FRAMEWORK =
  /['"](?:@sveltejs\/kit|\.\/\$types|@remix-run\/\w+|react-router|@?koa(?:[-/]router)?|elysia|fastify|@trpc\/server|astro)['"]|\bgetServerSideProps\b|\bNextRequest\b/

const PARTS = /[{,]\s*(?:request|req|params|query|body|cookies|headers|url|input)\b/

/** An input that is no text. */
const PLAIN_INPUT = /\.input\(\s*z\.(?:coerce\.)?(?:number|boolean)\(/

/** What calls a function of its own with what a client sends. */
const CALLER = /(?:^|\.)(?:onCall|Meteor\.methods|Meteor\.publish)$/

const SOCKET = /^(?:this\.)?_?(socket|ws|client|conn|connection|webSocket|sock)\??\.on$/

/** What only programs name that answer on sockets. */
const SOCKET_SERVER = /\bWebSocketServer\b|\b(?:WebSocket|ws|WS)\.Server\b|\bwss\b|\bwebsocket: true/

/** The same as listeners are told in browsers. */
const PLAIN_SOCKET =
  /^(?:this\.)?_?(socket|ws|client|conn|connection|webSocket|sock)\??\.(?:onmessage|addEventListener)$/

/** Methods of a service of Feathers. */
const SERVICE = /^(?:find|get|create|update|patch|remove)$/

const SERVICES = /['"](?:@feathersjs\/\w|feathers-(?:knex|mongoose|sequelize|mongodb|memory|nedb|objection)['"])/

/** Events of a socket that carry nothing of what the other side sends. */
const OWN_EVENTS = /^.(?:connect|connection|disconnect|disconnecting|error|close|open|end|drain|timeout)\b/

/** Sockets that the program opens itself: what comes on them is an answer, and not a request. */
const OPENED =
  /\b_?(socket|ws|client|conn|connection|webSocket|sock)\b[^=\n;(){}]{0,40}=\s*(?:await\s+)?(?:new\s+(?:[\w.]+\.)?(?:WebSocket|Socket)\b(?!\w)|(?:[\w.]*\.)?(?:connect|createConnection|createClient|connectAsync)\(|io(?:\.connect)?\()/g

/** What reads lines or pieces of what is typed in. */
const READER =
  /^(?:process\.stdin|stdin)\.on(?:ce)?$|^(?:\w+\.)*_?(?:rl|readline|reader|lineReader|\w*Interface)\.(?:on(?:ce)?|question)$/

/** What gives pieces of what another machine sends. */
const RECEIVER = /^(?:this\.)?_?(?:socket|sock|conn|connection|client|c|stream|res|resp|response)\.on$/

/** No callee of those above is longer. */
const LONGEST_CALLEE = 80

/** Tells functions that GraphQL and sockets call with what clients send, and those that are given what is typed in or comes from another machine; a file without a word of them is not looked at. */
export class JavascriptHandlers {
  readonly #hasResolvers: boolean
  readonly #hasSockets: boolean
  readonly #reads: boolean
  readonly #receives: boolean
  readonly #takesApart: boolean
  readonly #answersSockets: boolean
  readonly #hasServices: boolean
  readonly #hasProcedures: boolean
  readonly #isCalled: boolean
  readonly #opened: ReadonlySet<string>

  constructor(text: string) {
    this.#hasResolvers = /\b(?:Query|Mutation|Subscription)\b/.test(text) && /resolver|graphql|apollo/i.test(text)
    this.#hasSockets = /\bsocket\.io\b|['"]ws['"]|\bio\.(?:on|of)\(|\bwss\b|websocket: true/.test(text)
    this.#answersSockets = this.#hasSockets && SOCKET_SERVER.test(text)
    this.#hasProcedures = text.includes('@trpc/server') && text.includes('.input(')
    this.#hasServices = SERVICES.test(text)
    this.#takesApart = PARTS_FRAMEWORK.test(text)
    this.#isCalled = /\bonCall\(|\bMeteor\.(?:methods|publish)\(/.test(text)
    this.#reads = /\breadline\b|\bstdin\.on/.test(text)
    this.#receives = /['"](?:node:)?(?:net|tls|https?)['"]/.test(text)
    this.#opened = new Set(this.#hasSockets ? [...text.matchAll(OPENED)].map(found => found[1]!) : [])
  }

  /** Whether a pattern takes apart what a handler of such a framework is given. */
  isTakenApart(pattern: Syntax): boolean {
    if (!this.#takesApart || !PARTS.test(pattern.text)) return false
    // tRPC checks what comes before the function sees it: a number is no text.
    let call = pattern.parent
    for (let up = 0; call && call.kind !== 'call_expression' && up < 5; up++) call = call.parent
    return !PLAIN_INPUT.test(call?.field('function')?.text ?? '')
  }

  kindOf(node: Syntax, parent: Syntax | undefined): Handler | undefined {
    if (!parent) return undefined
    if (this.#hasResolvers) {
      const object = node.kind === 'method_definition' ? parent : parent.kind === 'pair' ? parent.parent : undefined
      const holder = object?.kind === 'object' ? object.parent : undefined
      const name = holder?.field(holder.kind === 'pair' ? 'key' : 'name')
      if (name && ROOT_TYPES.test(name.text)) return 'resolver'
      // `resolve(parent, args)` of a field, and the fields of any type under `resolvers`.
      const own = node.kind === 'method_definition' ? node.field('name') : parent.field('key')
      if (object && own?.text === 'resolve') return 'resolver'
      const outer = holder?.kind === 'pair' ? holder.parent?.parent : undefined
      if (outer?.field('name')?.text === 'resolvers') return 'resolver'
    }
    if (this.#isCalled) {
      const object = node.kind === 'method_definition' ? parent : parent.kind === 'pair' ? parent.parent : node
      const given = object?.parent
      const called = given?.kind === 'arguments' ? given.parent?.field('function') : undefined
      if (called && called.end - called.start <= LONGEST_CALLEE && CALLER.test(called.text)) return 'called'
    }
    if (this.#hasServices && node.kind === 'method_definition' && SERVICE.test(node.field('name')?.text ?? ''))
      return 'service'
    if (this.#answersSockets && parent.kind === 'assignment_expression')
      return this.#isSocket(parent.field('left')) ? 'told' : undefined
    if (parent.kind !== 'arguments') return undefined
    return this.#hasProcedures && isProcedure(parent) ? 'procedure' : this.#listenerOf(parent)
  }

  /** Whether a socket that the program did not open itself is told so what to do with a message. */
  #isSocket(told: Syntax | undefined): boolean {
    if (!told || told.end - told.start > LONGEST_CALLEE) return false
    const socket = PLAIN_SOCKET.exec(told.text)?.[1]
    return socket !== undefined && !this.#opened.has(socket)
  }

  /** What a function is that a call with these arguments is given. */
  #listenerOf(given: Syntax): Handler | undefined {
    if (!this.#hasSockets && !this.#reads && !this.#receives) return undefined
    const called = given.parent?.field('function')
    // In a long chain of calls each one's text holds that of all before it.
    if (!called || called.end - called.start > LONGEST_CALLEE) return undefined
    const callee = called.text
    const event = given.parts[0]?.text ?? ''
    if (this.#hasSockets) {
      const socket = SOCKET.exec(callee)?.[1]
      if (socket !== undefined && !this.#opened.has(socket) && !OWN_EVENTS.test(event)) return 'listener'
    }
    if (this.#answersSockets && /^.message.$/.test(event) && this.#isSocket(called)) return 'told'
    if (this.#reads && READER.test(callee) && (callee.endsWith('.question') || /^.(?:line|data)\b/.test(event)))
      return 'reader'
    if (this.#receives && /^(?:req|request)\.on$/.test(callee) && /^.data\b/.test(event)) return 'sent'
    return this.#receives && RECEIVER.test(callee) && /^.data\b/.test(event) ? 'receiver' : undefined
  }
}

/** Whether a call with these arguments makes a procedure of tRPC that takes a text. */
function isProcedure(given: Syntax): boolean {
  const callee = given.parent?.field('function')
  if (callee?.kind !== 'member_expression' || !/^(?:query|mutation|subscription)$/.test(callee.at('property').text))
    return false
  return callee.text.includes('.input(') && !PLAIN_INPUT.test(callee.text)
}

/** Parameters of a service's methods, by their usual names. */
const SERVICE_PARAMETERS: Record<string, string> = { id: 'ServiceId', data: 'ServiceData', params: 'ServiceParams' }

/** The annotation that a framework with annotations would have on the parameter. */
export function findAnnotation(kind: Handler | undefined, name: string, at: number): string | undefined {
  if (kind === 'reader') return 'Typed'
  if (kind === 'receiver') return 'Received'
  if (kind === 'sent') return at === 0 ? 'Payload' : undefined
  if (kind === 'called') return 'Called'
  if (kind === 'procedure') return /^\w+$/.test(name) ? 'Procedure' : undefined
  if (kind === 'told') return 'SocketEvent'
  if (kind === 'service') return SERVICE_PARAMETERS[name]
  if (kind === 'resolver') return at === 1 ? 'Args' : undefined
  if (kind === 'listener') return /^(?:cb|callback|fn|ack|done|respond)$/.test(name) ? undefined : 'MessageBody'
  return undefined
}
