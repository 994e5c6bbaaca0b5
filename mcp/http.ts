import { createHash } from 'node:crypto'
import type { ManifestRow } from '../engine/door/operation.ts'
import type { Schemas } from '../engine/door/schemas.ts'
import { describeError } from './issues.ts'
import { createMcpHandler } from './library.ts'
import { createResults } from './results.ts'
import { createMcpServer } from './server.ts'
import { selectRows } from './tools.ts'

/** Bytes of a message, as of a request to the REST API. */
const MESSAGE_LIMIT = 10 * 1024 * 1024
/** Streams that stay open for changes, of which there are none while the server runs. */
const MOST_SUBSCRIPTIONS = 16

/** What the handler needs of the server around it. */
export interface HttpOptions {
  rows: readonly ManifestRow[]
  schemas: (id: string) => Schemas
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** Takes the server's own folders out of a text. */
  hide(text: string): string
  log(text: string): void
  /** Throws for a call that this server refuses, whoever asks. */
  admit?(row: ManifestRow, input: Record<string, unknown>): void
  /** Makes the server of a request; the conformance suite's puts its own tools beside those of svc. */
  create?: typeof createMcpServer
}

/**
 * Answers requests of the Model Context Protocol over HTTP, each by a server of its own, without sessions. `?tools=` chooses sets and tools, as
 * `--tools` does; INPUT_INVALID names what is neither. Whether the request may come in is for who calls it to check. Callers are elsewhere and
 * never a person, whatever key they have: only the credential in X-Agent-Key says who asks.
 */
export function createHttpHandler({ rows, create = createMcpServer, ...options }: HttpOptions) {
  const results = createResults()
  const handler = createMcpHandler(
    context => {
      const credential = context.requestInfo?.headers.get('x-agent-key') ?? undefined
      const caller = { remote: true, ...(credential !== undefined && { credential }) }
      const offered = selectRows(rows, context.requestInfo ? readTools(context.requestInfo) : [])
      return create({ ...options, rows: offered, caller, results, owner: nameOwner(credential) }, context)
    },
    {
      maxRequestBodySize: MESSAGE_LIMIT,
      maxSubscriptions: MOST_SUBSCRIPTIONS,
      onerror: error => options.log(describeError(error)),
    },
  )
  return {
    async fetch(request: Request): Promise<Response> {
      // A choice that is none is told before the protocol begins, where an error could only be an internal one.
      selectRows(rows, readTools(request))
      return handler.fetch(request)
    },
    close: () => handler.close(),
  }
}

/** The sets and tools of `?tools=a,b&tools=c`. */
function readTools({ url }: Request): string[] {
  const names = new URL(url).searchParams.getAll('tools')
  return names.flatMap(value => value.split(',')).filter(name => name !== '')
}

/** For whom an answer is kept: the digest, so that no credential is. */
function nameOwner(credential: string | undefined): string {
  return credential === undefined ? 'anybody' : createHash('sha256').update(credential).digest('hex')
}
