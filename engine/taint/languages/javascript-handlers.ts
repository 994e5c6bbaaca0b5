import type { Syntax } from './syntax.ts'

/** What a function is by the place where it is written. */
export type Handler = 'resolver' | 'listener'

const ROOT_TYPES = /^['"]?(?:Query|Mutation|Subscription)['"]?$/

const SOCKET = /^(?:this\.)?_?(socket|ws|client|conn|connection|webSocket|sock)\??\.on$/

/** Events of a socket that carry nothing of what the other side sends. */
const OWN_EVENTS = /^.(?:connect|connection|disconnect|disconnecting|error|close|open|end|drain|timeout)\b/

/** Sockets that the program opens itself: what comes on them is an answer, and not a request. */
const OPENED =
  /\b_?(socket|ws|client|conn|connection|webSocket|sock)\b[^=\n;(){}]{0,40}=\s*(?:await\s+)?(?:new\s+(?:[\w.]+\.)?(?:WebSocket|Socket)\b(?!\w)|(?:[\w.]*\.)?(?:connect|createConnection|createClient|connectAsync)\(|io(?:\.connect)?\()/g

/** Tells functions that GraphQL and sockets call with what clients send; a file without a word of them is not looked at. */
export class JavascriptHandlers {
  readonly #hasResolvers: boolean
  readonly #hasSockets: boolean
  readonly #opened: ReadonlySet<string>

  constructor(text: string) {
    this.#hasResolvers = /\b(?:Query|Mutation|Subscription)\b/.test(text) && /resolver|graphql|apollo/i.test(text)
    this.#hasSockets = /\bsocket\.io\b|['"]ws['"]|\bio\.(?:on|of)\(|\bwss\b/.test(text)
    this.#opened = new Set(this.#hasSockets ? [...text.matchAll(OPENED)].map(found => found[1]!) : [])
  }

  kindOf(node: Syntax, parent: Syntax | undefined): Handler | undefined {
    if (!parent) return undefined
    if (this.#hasResolvers) {
      const object = node.kind === 'method_definition' ? parent : parent.kind === 'pair' ? parent.parent : undefined
      const holder = object?.kind === 'object' ? object.parent : undefined
      const name = holder?.field(holder.kind === 'pair' ? 'key' : 'name')
      if (name && ROOT_TYPES.test(name.text)) return 'resolver'
    }
    if (this.#hasSockets && parent.kind === 'arguments') {
      const callee = parent.parent?.field('function')
      const socket = callee && SOCKET.exec(callee.text)?.[1]
      if (socket !== undefined && !this.#opened.has(socket) && !OWN_EVENTS.test(parent.parts[0]?.text ?? ''))
        return 'listener'
    }
    return undefined
  }
}

/** The annotation that a framework with annotations would have on the parameter. */
export function annotationOf(kind: Handler | undefined, name: string, at: number): string | undefined {
  if (kind === 'resolver') return at === 1 ? 'Args' : undefined
  if (kind === 'listener') return /^(?:cb|callback|fn|ack|done|respond)$/.test(name) ? undefined : 'MessageBody'
  return undefined
}
