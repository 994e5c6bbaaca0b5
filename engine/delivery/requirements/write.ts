import type { Document, YAMLMap, YAMLSeq } from 'yaml'
import type { RequirementRecord } from './model.ts'

/** The keys of a requirement in the order in which they are written. */
const KEYS = [
  'id',
  'title',
  'description',
  'status',
  'level',
  'parent',
  'source',
  'acceptance',
  'files',
  'tests',
  'controls',
  'confirmed',
] as const satisfies readonly (keyof RequirementRecord)[]

const WRITING = { lineWidth: 0, aliasDuplicateObjects: false, flowCollectionPadding: false }

/**
 * The text of requirements.yaml with these requirements. Of a text that is there already, comments, quotes and the keys' order stay;
 * only what differs is rewritten. The same input gives the same text, which ends with a line feed.
 */
export async function writeRequirements(records: readonly RequirementRecord[], previous?: string): Promise<string> {
  const { Document, isMap, isSeq, parseDocument } = await import('yaml')
  const document: Document = previous === undefined ? new Document({}) : parseDocument(previous, { uniqueKeys: false })
  if (!isMap(document.contents)) document.contents = document.createNode({}) as never
  const root = document.contents as unknown as YAMLMap
  let list = root.get('requirements', true) as unknown
  if (!isSeq(list)) {
    list = document.createNode([])
    root.set('requirements', list)
  }
  const sequence = list as YAMLSeq
  sequence.flow = false
  const known = new Map<string, YAMLMap>()
  for (const item of sequence.items)
    if (isMap(item) && !known.has(String(item.get('id')))) known.set(String(item.get('id')), item)
  sequence.items = records.map(record => {
    const item = known.get(record.id) ?? (document.createNode({}) as YAMLMap)
    updateItem(document, item, record)
    return item
  })
  return document.toString({ ...WRITING, indentSeq: !/^requirements:[^\S\n]*\n-/m.test(previous ?? '') })
}

function updateItem(document: Document, item: YAMLMap, record: RequirementRecord): void {
  const now = item.toJS(document) as Record<string, unknown>
  for (const key of KEYS) {
    const value = record[key]
    const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0)
    // What is said by default is not written where it was not.
    const isDefault = key === 'status' && value === 'approved' && now.status === undefined
    if (isEmpty || isDefault) {
      if (now[key] !== undefined) item.delete(key)
    } else if (!isEqual(now[key], value)) item.set(key, document.createNode(value))
  }
}

function isEqual(written: unknown, value: unknown): boolean {
  if (typeof written === 'number') return String(written) === value
  if (typeof written === 'object' && written !== null && !Array.isArray(written)) {
    const [a, b] = [written, value as object].map(each => Object.entries(each).sort(([x], [y]) => (x < y ? -1 : 1)))
    return (
      a!.length === b!.length &&
      a!.every(([key, each], at) => key === b![at]![0] && String(each) === String(b![at]![1]))
    )
  }
  return JSON.stringify(written) === JSON.stringify(value)
}
