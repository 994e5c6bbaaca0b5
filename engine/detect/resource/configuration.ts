/** A value of an argument, as far as it stands in the text; of an entry of a map with the offset of its key. */
export type Value = Written & { key?: number }

type Written =
  | { kind: 'text' | 'number' | 'truth' | 'null'; text: string; start: number; end: number }
  | { kind: 'list'; items: Value[]; start: number; end: number }
  /** `isOpen` where a template or a merge adds entries that nobody knows here. */
  | { kind: 'object'; entries: Map<string, Value>; start: number; end: number; isOpen?: true }
  /** A name with its attributes: `var.port`, `ingress.value.port`. */
  | { kind: 'reference'; path: string[]; start: number; end: number }
  /** A call, a condition, a text with parts: what it gives is not known here. */
  | { kind: 'unknown'; start: number; end: number }

/** An argument of a block. */
export interface Argument {
  name: string
  start: number
  value: Value
}

/** A block: `resource "aws_s3_bucket" "logs" { … }`. `start` to `end` is its header, with the brace. */
export interface Block {
  keyword: string
  labels: string[]
  start: number
  end: number
  arguments: Map<string, Argument>
  blocks: Block[]
  /** Something adds arguments that nobody knows here. */
  isOpen?: true
}

/** The blocks of a file; `complete` is false where a part of it is not HCL or nests too deeply. */
export interface Configuration {
  blocks: Block[]
  complete: boolean
}
