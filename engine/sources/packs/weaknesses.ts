import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UNKNOWN_ORIGIN } from '../../base/records/taint-model.ts'
import { type PlaceOf, parseFile, refusePack } from './parse.ts'

/** A form of a rule by weakness, as a rule file of its pack would say it. */
export interface WrittenForm {
  data: Record<string, unknown>
  /** What messages call its file. */
  file: string
  place: PlaceOf
}

/** The file of a rule by weakness that says what its forms have in common. */
const SHARED = 'rule.yaml'

/**
 * The forms of the rules by weakness in a folder, by the pack that each belongs to: `<weakness>/rule.yaml` says what all forms have in
 * common, and each other file is a form with its `key`, its `pack`, and what it says in place of that or beside it. `shown` is what
 * messages call the folder. PACK_INVALID for a file that is no form, and for one that leaves open what it follows.
 */
export async function readForms(folder: string, shown: string = folder): Promise<Map<string, WrittenForm[]>> {
  const byPack = new Map<string, WrittenForm[]>()
  if (!existsSync(folder)) return byPack
  for (const weakness of readdirSync(folder).sort()) {
    const read = (name: string) => readMap(join(folder, weakness, name), `${shown}/${weakness}/${name}`)
    const shared = await read(SHARED)
    const { id, ...common } = shared.data
    if (id !== weakness)
      throw refusePack(shared.file, [
        { message: `its id is ${id}, but its directory is ${weakness}`, place: shared.place([], 'value') },
      ])
    const names = readdirSync(join(folder, weakness)).filter(name => name.endsWith('.yaml') && name !== SHARED)
    const forms = await Promise.all(names.sort().map(read))
    const written = forms.map(({ data }) => ({ ...common, ...data }))
    for (const form of forms) {
      const { key, pack, needs_prefix, former_keys: _, ...own } = form.data
      for (const [field, value] of Object.entries({ key, pack })) {
        if (typeof value === 'string') continue
        throw refusePack(form.file, [{ message: `${field} must be a text.`, place: form.place([], 'value') }])
      }
      if (!('sources' in common || 'sources' in own || 'own_sources' in own || 'own_sources' in common))
        throw refusePack(form.file, [
          {
            message: `neither it nor ${SHARED} has sources: name the kinds that it follows, or say sources: [] if each call that fits is reported.`,
            place: form.place([], 'value'),
          },
        ])
      const ofPack = byPack.get(String(pack)) ?? []
      ofPack.push({
        data: { id: key, type: 'taint', ...common, ...own, sinks: listSinks({ ...common, ...form.data }, written) },
        file: form.file,
        place: (path, part) => (path.length === 0 || path[0]! in own ? form : shared).place(path, part),
      })
      byPack.set(String(pack), ofPack)
    }
  }
  return byPack
}

/**
 * The sinks of a form. One for values of unknown origin has, beside its own, those of the forms for its languages that follow requests, unless it
 * says `own_sinks_only`; of all of them, `needs_prefix` is what the text must begin with.
 */
function listSinks(form: Written, forms: readonly Written[]): unknown {
  const { sinks = [], sources, needs_prefix, own_sinks_only } = form
  if (!asList(sources).includes(UNKNOWN_ORIGIN) || !Array.isArray(sinks)) return sinks
  const languages = asList(form.languages)
  const taken = forms
    .filter(other => asList(other.sources).includes('request') && !asList(other.sources).includes(UNKNOWN_ORIGIN))
    .filter(other => own_sinks_only !== true && asList(other.languages).some(name => languages.includes(name)))
    .flatMap(other => asList(other.sinks) as Written[])
  const begins = needs_prefix === undefined ? {} : { needs_prefix }
  return [
    ...taken.map(({ from: _, ...sink }) => ({ ...sink, ...begins })),
    ...sinks.map(sink => ({ ...begins, ...sink })),
  ]
}

type Written = Record<string, unknown>

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

async function readMap(path: string, file: string): Promise<WrittenForm> {
  const { data, place } = await parseFile(readFileSync(path), file)
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw refusePack(file, [{ message: 'It must be a map.', place: place([], 'value') }])
  return { data: data as Record<string, unknown>, file, place }
}
