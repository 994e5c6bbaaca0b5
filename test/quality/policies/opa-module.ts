/** What a module that is made by hand answers. */
export interface MadeModule {
  /** Four characters that are searched in the input. */
  needle: string
  /** The result set where the input has them, and where it has not. */
  found: unknown
  missing: unknown
  builtins?: Record<string, number>
  entrypoint?: string
  /** It never answers. */
  loops?: boolean
  /** It brings a memory of its own, of so many pages, or a table of so many entries. */
  memory?: number
  table?: number
}

const I32 = 0x7f
const HEAP = 200_000

/**
 * The bytes of a WebAssembly module with the interface of a compiled OPA policy (ABI 1.2), written instruction by instruction: nothing here
 * compiles Rego. Its policy is whether the text of the input has a word in it.
 */
export function makeOpaModule({
  needle,
  found,
  missing,
  builtins = {},
  entrypoint = 'svc/violations',
  loops,
  memory,
  table,
}: MadeModule): Uint8Array {
  const data = [
    [1024, builtins],
    [2048, { [entrypoint]: 0 }],
    [4096, found],
    [8192, missing],
  ] as const
  const word = Buffer.from(needle).readInt32LE(0)
  // opa_eval(reserved, entrypoint, data, input, input_length, heap, format); local 7 counts.
  const evaluate = loops
    ? [0x03, 0x40, 0x0c, 0, 0x0b, 0x00]
    : [
        ...[0x02, 0x40, 0x03, 0x40],
        ...[0x20, 7, 0x20, 4, 0x41, 3, 0x6b, 0x4e, 0x0d, 1],
        ...[0x20, 3, 0x20, 7, 0x6a, 0x28, 0, 0, 0x41, ...signed(word), 0x46],
        ...[0x04, 0x40, 0x41, ...signed(4096), 0x0f, 0x0b],
        ...[0x20, 7, 0x41, 1, 0x6a, 0x21, 7, 0x0c, 0],
        ...[0x0b, 0x0b, 0x41, ...signed(8192)],
      ]
  const functions: [name: string, type: number, code: number[]][] = [
    ['builtins', 0, [0x41, ...signed(1024)]],
    ['entrypoints', 0, [0x41, ...signed(2048)]],
    ['opa_json_dump', 1, [0x20, 0]],
    ['opa_malloc', 1, [0x41, ...signed(HEAP - 65_536)]],
    ['opa_json_parse', 2, [0x20, 0]],
    ['opa_heap_ptr_get', 0, [0x41, ...signed(HEAP)]],
    ['opa_heap_ptr_set', 3, []],
    ['opa_eval', 4, evaluate],
  ]
  const types = [
    [0x60, 0, 1, I32],
    [0x60, 1, I32, 1, I32],
    [0x60, 2, I32, I32, 1, I32],
    [0x60, 1, I32, 0],
    [0x60, 7, ...Array<number>(7).fill(I32), 1, I32],
  ]
  const globals = [1, 2].map(value => [I32, 0, 0x41, value, 0x0b])
  const exported = [
    ...functions.map(([name], index) => [...text(name), 0, index]),
    [...text('opa_wasm_abi_version'), 3, 0],
    [...text('opa_wasm_abi_minor_version'), 3, 1],
  ]
  const bodies = functions.map(([, , code]) => {
    const body = [1, 1, I32, ...code, 0x0b] // one local more than the parameters
    return [...unsigned(body.length), ...body]
  })
  const segments = data.map(([at, value]) => [0, 0x41, ...signed(at), 0x0b, ...text(`${JSON.stringify(value)}\0`)])
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, [[...text('env'), ...text('memory'), 2, 0, 1]]),
    ...section(
      3,
      functions.map(([, type]) => [type]),
    ),
    ...(table === undefined ? [] : section(4, [[0x70, 0, ...unsigned(table)]])),
    ...(memory === undefined ? [] : section(5, [[0, ...unsigned(memory)]])),
    ...section(6, globals),
    ...section(7, exported),
    ...section(10, bodies),
    ...section(11, segments),
  ])
}

function section(id: number, items: readonly number[][]): number[] {
  const body = [...unsigned(items.length), ...items.flat()]
  return [id, ...unsigned(body.length), ...body]
}

function text(value: string): number[] {
  const bytes = [...Buffer.from(value)]
  return [...unsigned(bytes.length), ...bytes]
}

/** LEB128. */
function unsigned(value: number): number[] {
  const low = value & 0x7f
  return value < 0x80 ? [low] : [low | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  const low = value & 0x7f
  const rest = value >> 7
  const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)
  return isLast ? [low] : [low | 0x80, ...signed(rest)]
}
