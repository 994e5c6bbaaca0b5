/** What the thread that runs a compiled policy is given. */
export interface OpaTask {
  wasm: Uint8Array
  input: unknown
  data: unknown
  entrypoint: string | undefined
}

/** What it answers: the value of the entrypoint (absent where the policy leaves it undefined), or why there is none. */
export type OpaAnswer = { value?: unknown } | { failure: string }

/** Functions that the runtime of compiled policies has beside those that are compiled into them. */
export const BUILTINS: readonly string[] = [
  'json.is_valid',
  'regex.split',
  'sprintf',
  'yaml.is_valid',
  'yaml.marshal',
  'yaml.unmarshal',
]
