// A thread for one policy that was compiled to WebAssembly: loads it, evaluates it once, and answers. Who started the thread ends it when its
// time is over; what the module prints stays in the thread.

import { parentPort, workerData } from 'node:worker_threads'
import { type LoadedPolicy, loadPolicy } from '@open-policy-agent/opa-wasm'
import { BUILTINS, type OpaAnswer, type OpaTask } from '../engine/base/records/opa-task.ts'

/** Pages of 64 KB: 4 MB to begin with, 256 MB at most. */
const MEMORY = { initial: 64, maximum: 4096 }

evaluate(workerData as OpaTask).then(answer => parentPort!.postMessage(answer))

async function evaluate({ wasm, input, data, entrypoint }: OpaTask): Promise<OpaAnswer> {
  try {
    const policy = await loadPolicy(Uint8Array.from(wasm), MEMORY)
    const missing = requiredBuiltins(policy).filter(name => !BUILTINS.includes(name))
    if (missing.length > 0)
      return { failure: `it calls built-in functions that are not available: ${missing.sort().join(', ')}` }
    const known = Object.keys(policy.entrypoints as Record<string, number>)
    if (entrypoint !== undefined && !known.includes(entrypoint))
      return { failure: `it has no entrypoint ${entrypoint}; it has ${known.join(', ')}` }
    policy.setData(data ?? {})
    const [first] = policy.evaluate(input, entrypoint ?? 0) as { result?: unknown }[]
    return first?.result === undefined ? {} : { value: first.result }
  } catch (error) {
    // The runtime throws strings too.
    return {
      failure: error instanceof Error ? error.message : String((error as { message?: unknown })?.message ?? error),
    }
  }
}

/** The functions that the module says it needs. */
function requiredBuiltins(policy: LoadedPolicy): string[] {
  const { exports: exported } = policy.wasmInstance as unknown as { exports: Record<string, (at?: number) => number> }
  const at = exported.opa_json_dump!(exported.builtins!())
  const bytes = new Uint8Array(policy.mem.buffer)
  return Object.keys(JSON.parse(new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)))))
}
