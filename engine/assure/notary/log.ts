import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { writeFault } from '../../base/disk/disk.ts'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { makeOnce } from '../../base/disk/private-file.ts'
import { EngineError } from '../../base/errors.ts'
import { parseObject } from '../../base/text/json-object.ts'
import {
  computeKeyId,
  formatVerifierKey,
  isLogName,
  openCheckpoint,
  parseVerifierKey,
  signCheckpoint,
} from './checkpoint.ts'
import { hashLeaf, MerkleTree } from './merkle.ts'
import {
  encodeCountersigned,
  encodeEntry,
  findRequestFault,
  type LogEntry,
  type NotaryAnswer,
  type NotaryRequest,
} from './protocol.ts'

const ENTRIES = 'entries.jsonl'
const CHECKPOINT = 'checkpoint'
const KEY = 'notary.pem'
const LOCK = 'lock'

/** An open transparency log. Hashes are in base64. All work is synchronous: entries follow one another. */
export interface NotaryLog {
  /** Name, key hash and key, for clients to pin (C2SP signed-note, verifier key). */
  verifier_key: string
  log_id: string
  size(): number
  /** DISK where the entry cannot be written: the log is then as it was, and the next one has its index. */
  append(request: NotaryRequest, now?: number): NotaryAnswer
  checkpoint(): string
  /** INPUT_INVALID where the sizes are none of this log. */
  consistency(from: number, to: number): string[]
  inclusion(index: number, size: number): string[]
  close(): void
}

/**
 * Opens the log in a directory, making it and its key where there are none. An entry is on the disk before it is answered: the line in
 * `entries.jsonl`, then the checkpoint, each flushed. A line that a crash cut off was never answered, and is removed.
 * STORE_UNREADABLE where the entries do not fit the last checkpoint, so that a log which lost or changed entries is not continued;
 * CONFLICT where another process has it open.
 */
export function openNotaryLog(folder: string, name: string): NotaryLog {
  if (!isLogName(name))
    throw new EngineError('INPUT_INVALID', `${JSON.stringify(name)} cannot be the name of a log.`, {
      hint: 'Use letters, digits, dots, dashes and slashes, such as notary.example.org/log.',
    })
  try {
    makeFolders(folder, { mode: 0o700 })
    const release = lock(folder)
    try {
      return openLocked(folder, name, release)
    } catch (error) {
      release()
      throw error
    }
  } catch (error) {
    throw writeFault(error, folder, folder)
  }
}

function openLocked(folder: string, name: string, release: () => void): NotaryLog {
  const key = loadKey(folder)
  const verifier_key = formatVerifierKey(name, key)
  const log_id = computeKeyId(key)
  const tree = new MerkleTree()
  const file = openSync(join(folder, ENTRIES), 'a+', 0o600)
  let current = ''
  const publish = () => {
    const checkpoint = signCheckpoint({ origin: name, size: tree.size, root: tree.root() }, key)
    writeCheckpoint(folder, checkpoint)
    current = checkpoint
  }
  try {
    for (const line of readLines(file)) tree.append(hashLeaf(Buffer.from(line)))
    refuseOther(folder, verifier_key, tree)
    publish()
  } catch (error) {
    closeSync(file)
    throw error
  }
  let isTorn = false
  /** Writes, adds and publishes an entry; where one of these fails, the log is as it was before. */
  const add = (bytes: Buffer): number => {
    if (isTorn)
      throw new EngineError('DISK', 'An entry could be neither written whole nor taken back.', {
        hint: 'Restart the notary when the disk can be written to again: a line that was cut off is removed then.',
      })
    const [length, size] = [fstatSync(file).size, tree.size]
    try {
      writeWhole(file, Buffer.concat([bytes, Buffer.from('\n')]))
      const index = tree.append(hashLeaf(bytes))
      publish()
      return index
    } catch (error) {
      if (tree.size > size) tree.removeLast()
      isTorn = !cutOff(file, length)
      throw writeFault(error, folder, join(folder, ENTRIES))
    }
  }

  return {
    verifier_key,
    log_id,
    size: () => tree.size,
    append(request, now = Date.now()) {
      const fault = findRequestFault(request)
      if (fault !== undefined) throw new EngineError('INPUT_INVALID', fault)
      const { payload_sha256, tool_version } = request
      const entry: LogEntry = { payload_sha256, tool_version, timestamp: new Date(now).toISOString() }
      const bytes = encodeEntry(entry)
      const index = add(bytes)
      const signed = { log_id, index, ...entry }
      return {
        ...signed,
        signature: sign(null, encodeCountersigned(signed), key).toString('base64'),
        inclusion: tree.proveInclusion(index).map(toBase64),
        checkpoint: current,
      }
    },
    checkpoint: () => current,
    consistency: (from, to) => inRange(() => tree.proveConsistency(from, to)).map(toBase64),
    inclusion: (index, size) => inRange(() => tree.proveInclusion(index, size)).map(toBase64),
    close() {
      closeSync(file)
      release()
    },
  }
}

/** Writes a signed checkpoint in the place of the one before it, in one step. */
function writeCheckpoint(folder: string, checkpoint: string): void {
  const temporary = join(folder, `${CHECKPOINT}.tmp`)
  const handle = openSync(temporary, 'w', 0o644)
  try {
    writeFileSync(handle, checkpoint)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(temporary, join(folder, CHECKPOINT))
}

/** Appends all bytes, and does not come back before they are on the disk: a full one takes a part of them before it refuses. */
function writeWhole(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
  fsyncSync(file)
}

/** Takes away what was appended after a length; false where the disk refuses that too. */
function cutOff(file: number, length: number): boolean {
  try {
    ftruncateSync(file, length)
    fsyncSync(file)
    return true
  } catch {
    return false
  }
}

/** The lines of the log; one that a crash cut off is taken away. */
function readLines(file: number): string[] {
  const text = readFileSync(file, 'utf8')
  const end = text.lastIndexOf('\n') + 1
  if (end < text.length) {
    ftruncateSync(file, Buffer.byteLength(text.slice(0, end)))
    fsyncSync(file)
  }
  const lines = text.slice(0, end).split('\n').slice(0, -1)
  for (const [index, line] of lines.entries()) {
    const { timestamp, ...request } = parseObject(line) ?? {}
    if (typeof timestamp !== 'string' || findRequestFault(request) !== undefined)
      throw new EngineError('STORE_UNREADABLE', `Entry ${index} of the log is not an entry.`, {
        hint: 'Restore entries.jsonl from a backup; a log that lost entries cannot be continued.',
      })
  }
  return lines
}

/** Refuses entries that are not those of the last checkpoint and what was appended after it. */
function refuseOther(folder: string, verifierKey: string, tree: MerkleTree): void {
  let note: string
  try {
    note = readFileSync(join(folder, CHECKPOINT), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    if (tree.size <= 1) return
    throw damaged('The checkpoint of the log is missing.')
  }
  const last = openCheckpoint(note, parseVerifierKey(verifierKey)!)
  if (typeof last === 'string') throw damaged('The checkpoint of the log does not bear the signature of its key.')
  if (last.size > tree.size) throw damaged(`The log has ${tree.size} entries, and its last checkpoint ${last.size}.`)
  if (!tree.root(last.size).equals(last.root)) throw damaged('An entry of the log was changed.')
}

function damaged(message: string): EngineError {
  return new EngineError('STORE_UNREADABLE', message, {
    hint: 'Restore the directory of the log from a backup, or begin a log with another name and key.',
  })
}

function loadKey(folder: string): KeyObject {
  const path = join(folder, KEY)
  makeOnce(path, generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
  try {
    return createPrivateKey(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new EngineError('STORE_UNREADABLE', `${KEY} is not a private key.`, { cause: error })
  }
}

/** One process at a time: a lock of a process that has gone is taken over. */
function lock(folder: string): () => void {
  const path = join(folder, LOCK)
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (attempt === 0 && !isRunning(Number(readFileSync(path, 'utf8')))) rmSync(path, { force: true })
    }
  }
  throw new EngineError('CONFLICT', 'Another process has this log open.', {
    hint: `Stop it, or remove ${LOCK} in the directory of the log if there is none.`,
  })
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function inRange<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError)
      throw new EngineError('INPUT_INVALID', `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`)
    throw error
  }
}

function toBase64(hash: Buffer): string {
  return hash.toString('base64')
}
