import type { ServerContext } from '@modelcontextprotocol/server'
import { ProtocolError, ProtocolErrorCode, Server } from './library.ts'

/** One thing that is wrong with a message, as the protocol's library lists them. */
interface Issue {
  path: (string | number)[]
  message: string
}

type Handler = Parameters<Server['_wrapHandler']>[1]

/** A server that says in one line what is wrong with the parameters of a request; the library answers with its list of issues. */
export class PlainServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler)
    return async (request: Parameters<Handler>[0], context: ServerContext) => {
      try {
        return await wrapped(request, context)
      } catch (error) {
        const issues = describeIssues((error as Error).message)
        if (issues === undefined) throw error
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid request ${method}: ${issues}.`)
      }
    }
  }
}

/** What the server's log says of an error: that of a message that is none in one line. */
export function describeError({ message }: Error): string {
  return describeIssues(message) === undefined ? message : 'A message was ignored: it is not a JSON-RPC 2.0 message.'
}

/** The issues that a text ends with, in one line; undefined for a text without any. */
export function describeIssues(text: string): string | undefined {
  const issues = readIssues(text.slice(Math.max(text.indexOf('['), 0)))
  return issues?.map(({ path, message }) => `${path.join('.')}: ${message.replace(/^Invalid input: /, '')}`).join('; ')
}

function readIssues(text: string): Issue[] | undefined {
  if (!text.startsWith('[')) return undefined
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) && read.length > 0 && read.every(isIssue) ? read : undefined
  } catch {
    return undefined
  }
}

function isIssue(value: unknown): value is Issue {
  const { path, message } = (value ?? {}) as Partial<Issue>
  return Array.isArray(path) && typeof message === 'string'
}
