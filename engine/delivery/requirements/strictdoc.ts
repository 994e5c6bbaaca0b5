import { addRequirement, mapStatus, type RequirementFile, type RequirementReader } from './model.ts'

/** Blocks that require nothing. */
const NO_NODES = new Set(['DOCUMENT', 'GRAMMAR', 'SECTION', 'TEXT', 'FREETEXT', 'DOCUMENT_FROM_FILE', 'COMPOSITE'])

interface Node {
  line: number
  fields: Map<string, string>
  relations: { type: string; value: string }[]
}

/**
 * Reads a document of StrictDoc (.sdoc): every node with a UID, of whatever type the document's grammar has. Relations to parents and files are
 * taken over. A text that is opened by `>>>` and never closed is a fault.
 */
export const readStrictDoc: RequirementReader = (text, file) => {
  const into: RequirementFile = { requirements: [], faults: [] }
  for (const { line, fields, relations } of readNodes(text, file, into)) {
    const uid = fields.get('UID')
    if (uid === undefined) continue
    const named = (type: string) => relations.filter(each => each.type === type).map(({ value }) => value)
    const statement = fields.get('STATEMENT') ?? ''
    addRequirement(
      into,
      { file, line, format: 'strictdoc' },
      {
        id: uid,
        title: fields.get('TITLE') ?? statement,
        description: statement,
        status: mapStatus(fields.get('STATUS')),
        level: fields.get('LEVEL') ?? '',
        parent: [...new Set(named('parent'))],
        files: [...new Set(named('file'))].map(path => path.replace(/([*?[\]{}\\])/g, '\\$1')),
      },
    )
  }
  return into
}

function readNodes(text: string, file: string, into: RequirementFile): Node[] {
  const nodes: Node[] = []
  const lines = text.split(/\r?\n/)
  let node: Node | undefined
  let field = ''
  let type = ''
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    const block = /^\[{1,2}(\/?)([A-Z][A-Z0-9_]*)\]{1,2}\s*$/.exec(line)
    if (block) {
      const isNode = block[1] === '' && !NO_NODES.has(block[2]!)
      node = isNode ? { line: index + 1, fields: new Map(), relations: [] } : undefined
      if (node) nodes.push(node)
      continue
    }
    const [, name, rest = ''] = /^([A-Z][A-Z0-9_]*):[ \t]?(.*)$/.exec(line) ?? []
    const relation = /^(?:-\s*)?(TYPE|VALUE|ROLE):(.*)$/.exec(line.trim())
    if (name !== undefined) {
      field = name
      let value = rest
      if (rest.trim() === '>>>') {
        const from = index + 1
        const end = lines.indexOf('<<<', from)
        if (end === -1) {
          into.faults.push({ kind: 'invalid', file, line: index + 1, message: `The text of ${name} is not closed.` })
          return nodes
        }
        value = lines.slice(from, end).join('\n')
        index = end
      }
      node?.fields.set(name, value.trim())
    } else if (relation && (field === 'RELATIONS' || field === 'REFS')) {
      if (relation[1] === 'TYPE') type = relation[2]!.trim().toLowerCase()
      if (relation[1] === 'VALUE') node?.relations.push({ type, value: relation[2]!.trim() })
    }
  }
  return nodes
}
