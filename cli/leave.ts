import { WASI } from 'node:wasi'

/** As much of WebAssembly as this needs; Node's types leave it to the browsers'. */
interface Wasm {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => object
}

/** Bytes of a section of a WebAssembly module: its number, its length, what is in it. */
const section = (id: number, ...bytes: number[]) => [id, bytes.length, ...bytes]
/** A name as WebAssembly writes it: its length, its letters. */
const name = (text: string) => [text.length, ...Buffer.from(text)]

/** Type numbers of WebAssembly. */
const FUNCTION = 0x60
const INTEGER = 0x7f

/**
 * Ends the process with this code, from 0 to 255, and waits for no thread. `process.exit` waits for each one to come to a place where it can be
 * stopped, and a thread that hangs in a native parser comes to none for minutes, or ever. Only the system's own `exit` ends the process
 * before that, and of what Node gives access to, a WebAssembly program's `proc_exit` is that: so this is the smallest program that does.
 * It destroys what JavaScript on other threads uses, which may crash the process: only threads in native code may be left
 * by now. What is to be written must be written by now too: nothing runs after it, no listener of `exit` either.
 */
export function leave(code: number): never {
  const program = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 2, FUNCTION, 1, INTEGER, 0, FUNCTION, 0, 0),
    ...section(2, 1, ...name('wasi_snapshot_preview1'), ...name('proc_exit'), 0, 0),
    ...section(3, 1, 1),
    ...section(5, 1, 0, 1),
    ...section(7, 2, ...name('memory'), 2, 0, ...name('_start'), 0, 1),
    // One function without locals: the code as a constant of two bytes (in one there is room up to 63), the call, the end.
    ...section(10, 1, 7, 0, 0x41, (code & 0x7f) | 0x80, code >> 7, 0x10, 0, 0x0b),
  ]
  // Node calls its WASI an experiment in a warning, which is of no use to who runs svc.
  process.removeAllListeners('warning')
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly
  const wasi = new WASI({ version: 'preview1', returnOnExit: false })
  wasi.start(new Instance(new Module(Uint8Array.from(program)), { wasi_snapshot_preview1: wasi.wasiImport }))
  return process.exit(code)
}
