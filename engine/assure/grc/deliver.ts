import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../base/context.ts'
import { makeFolders } from '../../base/disk/make-folders.ts'
import { writeOutput } from '../../base/disk/output-file.ts'
import { parseObject } from '../../base/text/json-object.ts'
import { HttpFailure, openHttpClient } from '../../sources/http/client.ts'
import { locateLocalState, makeLocalFolder } from '../../sources/state/local-folder.ts'
import type { GrcEvent } from './event.ts'
import { type GrcRequest, type GrcTarget, mapEvent } from './mappings.ts'

/** Where events are sent. */
export interface GrcDestination {
  target: GrcTarget
  url: string
  resource?: string
}

/** What became of an event. */
export interface Delivery {
  id: string
  event: string
  delivered: boolean
  /** It was a dead letter of an earlier push. */
  resent: boolean
  /** Why it was not delivered. */
  reason?: string
}

/** How requests are made; tests shorten the times. */
export interface DeliveryTimes {
  attempts?: number
  pauseMs?: number
  timeoutMs?: number
}

/** Answers are not read further than this. */
const MOST_BYTES = 1 << 20
/** Dead letters that are kept; the oldest go first. */
const MOST_LETTERS = 1000

/**
 * Sends the dead letters of earlier pushes, oldest first, then the event. Each is tried several times with growing, random pauses. What
 * is not delivered is kept as a dead letter in `.svc/local/grc`, with the event alone: credentials are added when it is sent.
 */
export async function deliverEvents(
  root: string,
  event: GrcEvent | undefined,
  destination: GrcDestination,
  context: Pick<Context, 'env' | 'signal'>,
  times: DeliveryTimes = {},
): Promise<Delivery[]> {
  const http = await openHttpClient({ ...context, attempts: 4, timeoutMs: 15_000, ...times })
  const deliveries: Delivery[] = []
  const letters = readLetters(root).filter(({ id }) => id !== event?.id)
  try {
    for (const [each, resent] of [
      ...letters.map(letter => [letter, true] as const),
      ...(event ? [[event, false] as const] : []),
    ]) {
      const reason = await send(mapEvent(each, destination, context.env))
      deliveries.push({
        id: each.id,
        event: each.event,
        delivered: reason === undefined,
        resent,
        ...(reason !== undefined && { reason }),
      })
      if (reason === undefined) dropLetter(root, each.id)
      else if (each.event !== 'test') keepLetter(root, each)
    }
    return deliveries
  } finally {
    await http.close()
  }

  async function send(requests: readonly GrcRequest[]): Promise<string | undefined> {
    for (const { url, headers, body } of requests) {
      try {
        await http.request({ method: 'POST', url, headers, body, mostBytes: MOST_BYTES }, ({ status }) => {
          // A redirection would send the event where nobody configured it.
          if (status >= 300)
            throw new HttpFailure(`the server answered ${status}, and redirections are not followed`, status)
        })
      } catch (error) {
        if (error instanceof HttpFailure) return error.message
        throw error
      }
    }
    return undefined
  }
}

/** The events that were not delivered, oldest first. */
export function readLetters(root: string): GrcEvent[] {
  return listLetters(root).flatMap(name => {
    const letter = parseObject(readFileSync(join(locate(root), name), 'utf8'))
    return letter && typeof letter.id === 'string' && typeof letter.event === 'string'
      ? [letter as unknown as GrcEvent]
      : []
  })
}

function locate(root: string): string {
  return join(locateLocalState(root), 'grc')
}

/** Names begin with the time of the event, so they sort by it. */
function listLetters(root: string): string[] {
  try {
    return readdirSync(locate(root))
      .filter(name => /^[\w.:-]+\.json$/.test(name))
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function keepLetter(root: string, event: GrcEvent): void {
  makeLocalFolder(root)
  makeFolders(locate(root), { mode: 0o700 })
  dropLetter(root, event.id)
  const at = event.generated_at.replace(/[^0-9TZ]/g, '')
  writeOutput(join(locate(root), `${at}-${event.id}.json`), `${JSON.stringify(event)}\n`)
  for (const name of listLetters(root).slice(0, -MOST_LETTERS)) rmSync(join(locate(root), name), { force: true })
}

function dropLetter(root: string, id: string): void {
  for (const name of listLetters(root))
    if (name.endsWith(`-${id}.json`)) rmSync(join(locate(root), name), { force: true })
}
