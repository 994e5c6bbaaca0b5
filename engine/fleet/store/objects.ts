/** What is put: bytes, or a file whose size and digest are known. */
export type Content = Uint8Array | StoredFile

/** A file to be put as an object. */
export interface StoredFile {
  path: string
  bytes: number
  /** SHA-256 of the file, 64 hexadecimal digits. */
  sha256: string
}

/** Requests to a bucket that did not go well. */
export interface StoreTrouble {
  /** Repeated, since the first try had no answer or a passing fault. */
  retries: number
  /** Given up or refused. */
  failures: number
}

/** An object of a listing. */
export interface ObjectEntry {
  key: string
  bytes: number
}

/**
 * Objects by key: a directory or an S3-compatible bucket. An object appears whole or not at all. Keys have been checked (`checkKey`).
 * TOOL_MISSING where the service does not answer after all retries, FORBIDDEN where it refuses the credentials, DISK where a directory
 * cannot be written.
 */
export interface ObjectStore {
  /** Puts an object. With `ifAbsent`, one that exists stays as it is and the answer is `exists`. */
  put(key: string, content: Content, ifAbsent?: boolean): Promise<'stored' | 'exists'>
  /**
   * Writes an object to a new file, and answers what was written; undefined where there is no such object. STORE_UNREADABLE where it
   * has more than `most` bytes.
   */
  download(key: string, path: string, most: number): Promise<{ bytes: number; sha256: string } | undefined>
  /** The bytes of a small object; undefined where there is no such object, STORE_UNREADABLE where it has more than `most` bytes. */
  read(key: string, most: number): Promise<Buffer | undefined>
  has(key: string): Promise<boolean>
  /** All objects whose key begins with the prefix, in the order of their keys (by UTF-8 bytes). */
  list(prefix: string): AsyncIterable<ObjectEntry>
  /** Removes an object; one that does not exist is no error. */
  remove(key: string): Promise<void>
  /** What a user calls it, without credentials. */
  readonly name: string
  /** Requests since it was opened that did not go well; none of a directory, which is not asked again. */
  readonly trouble: Readonly<StoreTrouble>
  close(): Promise<void>
}
