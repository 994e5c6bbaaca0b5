/** Entries that the tables of a module may have: compiled policies have one for each function. */
const MOST_ENTRIES = 100_000
const TABLES = 4
const MEMORIES = 5

/**
 * Refuses a WebAssembly module that brings a memory of its own, or a table that is too large: the bounds of the thread that runs it hold for the
 * memory that it imports, as compiled policies do, and for nothing else. An Error with the reason. Sections are by the core specification, 5.5.
 */
export function checkModuleLimits(wasm: Uint8Array): void {
  for (let at = 8; at < wasm.length; ) {
    const id = wasm[at]!
    const size = readUnsigned(wasm, at + 1)
    const section = { from: size.next, to: size.next + size.value }
    if (section.to > wasm.length) throw new Error('the module is cut short')
    if (id === MEMORIES && readUnsigned(wasm, section.from).value > 0)
      throw new Error('the module has a memory of its own, which is not bounded: compiled policies import theirs')
    if (id === TABLES) checkTables(wasm, section.from)
    at = section.to
  }
}

/** A vector of tables: a type, and limits of one or two numbers by their flag. */
function checkTables(wasm: Uint8Array, from: number): void {
  const count = readUnsigned(wasm, from)
  let at = count.next
  for (let table = 0; table < count.value && table < MOST_ENTRIES; table++) {
    const initial = readUnsigned(wasm, at + 2)
    const hasMost = (wasm[at + 1]! & 1) === 1
    const most = hasMost ? readUnsigned(wasm, initial.next) : initial
    // One without a maximum grows by an instruction, each entry of which is bounded by the heap.
    if (initial.value > MOST_ENTRIES || most.value > MOST_ENTRIES || count.value > 16)
      throw new Error(`the module has more than ${MOST_ENTRIES} entries in its tables`)
    at = most.next
  }
}

/** An unsigned number in LEB128, of at most 32 bits. */
function readUnsigned(wasm: Uint8Array, from: number): { value: number; next: number } {
  let value = 0
  for (let index = 0; index < 5; index++) {
    const byte = wasm[from + index]
    if (byte === undefined) throw new Error('the module is cut short')
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return { value, next: from + index + 1 }
  }
  throw new Error('the module has a number that is too long')
}
