import { refuseSpec } from './document.ts'
import type { Weakness } from './weakness.ts'
import { isSensitive } from './weakness.ts'

/** A weak place of a .proto file: its path is of names (message, field), since the language has no pointers. */
export interface ProtoWeakness extends Weakness {
  line: number
}

/** A service and its calls, in the file's order. */
export interface Service {
  name: string
  calls: { name: string; line: number }[]
}

export interface ProtoAnalysis {
  package: string | undefined
  weaknesses: ProtoWeakness[]
  services: Service[]
}

/** Options of a field that bound a text, in the known validation libraries. */
export const PROTO_BOUNDS =
  'max_len|max_bytes|len|len_bytes|in|const|pattern|email|hostname|ip|ipv4|ipv6|uri|uri_ref|address|uuid|well_known_regex|tuuid'

/** The weak places of a .proto file. INPUT_INVALID with the line where it cannot be read. */
export async function analyzeProto(text: string, file: string): Promise<ProtoAnalysis> {
  const { default: protobuf } = await import('protobufjs')
  try {
    const parsed = protobuf.parse(text, { keepCase: true })
    return { package: parsed.package, ...placesOf(protobuf.tokenize(text, false)) }
  } catch (error) {
    const message = String((error as Error).message)
    const line = Number(/\(line (\d+)\)/.exec(message)?.[1] ?? 1)
    throw refuseSpec(file, [{ message: message.replace(/ \(line \d+\)/, ''), place: { file, line, column: 1 } }])
  }
}

interface Tokens {
  next(): string | null
  readonly line: number
}

/**
 * Finds fields and calls in the tokens of a file that is known to be well-formed: a statement `<type> <name> = <number>`
 * is a field wherever it stands in a message, and `rpc <name>` a call of the service around it.
 */
function placesOf(tokens: Tokens): Omit<ProtoAnalysis, 'package'> {
  const weaknesses: ProtoWeakness[] = []
  const services: Service[] = []
  const scopes: { kind: string; name: string }[] = []
  let statement: { text: string; line: number }[] = []
  for (let text = tokens.next(); text !== null; text = tokens.next()) {
    if (text === '{') {
      const [kind, name] = statement
      scopes.push({ kind: kind?.text ?? '', name: name?.text ?? '' })
      if (kind?.text === 'service') services.push({ name: name?.text ?? '', calls: [] })
      if (kind?.text === 'rpc') noteCall(statement, services)
      statement = []
    } else if (text === '}') {
      scopes.pop()
      statement = []
    } else if (text === ';') {
      if (statement[0]?.text === 'rpc') noteCall(statement, services)
      const within = scopes.at(-1)?.kind
      if (within === 'message' || within === 'oneof' || within === 'extend')
        weaknesses.push(
          ...ofField(
            statement,
            scopes.filter(({ kind }) => kind === 'message').map(({ name }) => name),
          ),
        )
      statement = []
    } else statement.push({ text, line: tokens.line })
  }
  const open = services.flatMap(({ name, calls }) =>
    calls.map(
      (call): ProtoWeakness => ({
        kind: 'auth',
        path: [name, call.name],
        part: 'key',
        what: `the call ${call.name} needs evidence of authentication and authorization`,
        line: call.line,
      }),
    ),
  )
  return { weaknesses: [...weaknesses, ...open], services }
}

function noteCall(statement: readonly { text: string; line: number }[], services: readonly Service[]): void {
  const name = statement[1]
  if (name) services.at(-1)?.calls.push({ name: name.text, line: statement[0]!.line })
}

function ofField(statement: readonly { text: string; line: number }[], messages: string[]): ProtoWeakness[] {
  const words = statement.map(({ text }) => text)
  const equals = words.indexOf('=')
  if (equals < 2 || ['option', 'reserved', 'extensions'].includes(words[0]!)) return []
  const name = words[equals - 1]!
  const kind = words[equals - 2]!
  const { line } = statement[equals - 2]!
  const path = [...messages, name]
  const found: ProtoWeakness[] = []
  const options = words.slice(equals + 2).join(' ')
  if ((kind === 'string' || kind === 'bytes') && !new RegExp(`\\b(?:${PROTO_BOUNDS})\\b`).test(options))
    found.push({ kind: 'unbounded-string', path, part: 'key', what: `${name} without a length limit`, line })
  if (isSensitive(name)) found.push({ kind: 'sensitive-field', path, part: 'key', what: `the field ${name}`, line })
  return found
}
