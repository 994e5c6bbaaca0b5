import { decodeStruct, encodeStruct, listIn, numberIn, type Struct, setNumber, structIn } from './thrift.ts'

// A Parquet file (https://parquet.apache.org/docs/file-format/): "PAR1", the row groups, filters of what is in them, a structure that
// describes all that, the structure's length, "PAR1". A group is what its rows come to, wherever it stands.

const MAGIC = Buffer.from('PAR1')
/** Behind the structure: its length, and the magic. */
const END = 8

/** The structure of a million files has some hundred kilobytes; a longer one is not read. */
const MOST_DESCRIBED = 4 << 20

/** Fields of the structures, as parquet.thrift numbers them. */
const FILE = { groups: 4, writer: 6 }
const GROUP = { columns: 1, rows: 3, offset: 5 }
const CHUNK = { metadata: 3 }
const COLUMN = { bytes: 7, data: 9, index: 10, dictionary: 11, filter: 14, filterBytes: 15 }

/** A row group where it stands. */
interface Group {
  described: Struct
  columns: Struct[]
  start: number
  end: number
  rows: number
}

/** A Parquet file as its groups and filters stand in it one behind the other. */
export class GroupedParquet {
  readonly groups: readonly Group[]
  readonly #bytes: Uint8Array
  readonly #file: Struct

  private constructor(bytes: Uint8Array, file: Struct, groups: readonly Group[]) {
    this.#bytes = bytes
    this.#file = file
    this.groups = groups
  }

  /** Undefined where something stands in the file that this does not know of, so that its groups cannot be moved. */
  static read(bytes: Uint8Array): GroupedParquet | undefined {
    try {
      return GroupedParquet.#open(bytes)
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
  }

  static #open(bytes: Uint8Array): GroupedParquet | undefined {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (whole.length < MAGIC.length + END || !MAGIC.equals(whole.subarray(0, MAGIC.length))) return undefined
    const size = whole.readUInt32LE(whole.length - END)
    if (size > MOST_DESCRIBED || !MAGIC.equals(whole.subarray(-MAGIC.length))) return undefined
    const footer = whole.length - END - size
    const file = decodeStruct(whole.subarray(Math.max(0, footer), whole.length - END))
    const groups: Group[] = []
    let at = MAGIC.length
    for (const described of listIn(file, FILE.groups) ?? []) {
      const columns = (listIn(described, GROUP.columns) ?? []).map(chunk => structIn(chunk, CHUNK.metadata) ?? [])
      const start = at
      for (const column of columns) {
        if ((numberIn(column, COLUMN.dictionary) ?? numberIn(column, COLUMN.data)) !== at) return undefined
        if (numberIn(column, COLUMN.index) !== undefined) return undefined
        at += numberIn(column, COLUMN.bytes)!
      }
      if (numberIn(described, GROUP.offset) !== start) return undefined
      groups.push({ described, columns, start, end: at, rows: numberIn(described, GROUP.rows)! })
    }
    for (const column of groups.flatMap(({ columns }) => columns)) {
      const filter = numberIn(column, COLUMN.filter)
      if (filter === undefined) continue
      if (filter !== at) return undefined
      at += numberIn(column, COLUMN.filterBytes)!
    }
    return at === footer ? new GroupedParquet(bytes, file, groups) : undefined
  }

  /**
   * The file with other groups of as many rows in the place of some, by their number: the bytes that it would have if it had been written with
   * their rows. Each comes from a file of the same writer that has it alone. Undefined where one of these does not, or has another number of rows.
   * Places are changed in all of these files as they are described here: none can be asked again.
   */
  replace(others: ReadonlyMap<number, GroupedParquet>): Buffer | undefined {
    const chosen = this.groups.map((group, number) => {
      const other = others.get(number)
      if (!other) return { file: this as GroupedParquet, group }
      const [only, ...more] = other.groups
      const isAlike = only?.rows === group.rows && readWriter(other.#file) === readWriter(this.#file)
      return only && more.length === 0 && isAlike ? { file: other, group: only } : undefined
    })
    const parts: Uint8Array[] = [MAGIC]
    let at = MAGIC.length
    const add = (bytes: Uint8Array) => {
      parts.push(bytes)
      at += bytes.length
    }
    for (const each of chosen) {
      if (!each) return undefined
      const { file, group } = each
      const moved = at - group.start
      for (const column of group.columns) for (const id of [COLUMN.data, COLUMN.dictionary]) move(column, id, moved)
      move(group.described, GROUP.offset, moved)
      add(file.#bytes.subarray(group.start, group.end))
    }
    for (const each of chosen)
      for (const column of each!.group.columns) {
        const filter = numberIn(column, COLUMN.filter)
        if (filter === undefined) continue
        setNumber(column, COLUMN.filter, at)
        add(each!.file.#bytes.subarray(filter, filter + numberIn(column, COLUMN.filterBytes)!))
      }
    const groups = { of: STRUCT, items: chosen.map(each => each!.group.described) }
    const described = encodeStruct(
      this.#file.map(field => (field.id === FILE.groups ? { ...field, value: groups } : field)),
    )
    const end = Buffer.alloc(END)
    end.writeUInt32LE(described.length)
    MAGIC.copy(end, END - MAGIC.length)
    return Buffer.concat([...parts, described, end])
  }
}

/** The program that wrote a file, which may compress rows as another version does not. */
function readWriter(file: Struct): string | undefined {
  const value = file.find(({ id }) => id === FILE.writer)?.value
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : undefined
}

/** The type of a list's items. */
const STRUCT = 12

function move(struct: Struct, id: number, by: number): void {
  const offset = numberIn(struct, id)
  if (offset !== undefined) setNumber(struct, id, offset + by)
}
