import { findReached } from '../../base/technologies/technologies.ts'
import { findTechnologyByScheme } from '../code/uses.ts'
import { TERRAFORM_RESOURCES } from './cloud-resources.ts'
import { type Deployed, readImage, readSettings } from './infrastructure.ts'

/** Whether a path names a file of Terraform. */
export const TERRAFORM = /\.tf$/

const RESOURCE = /^[ \t]{0,8}resource\s{1,5}"(\w{1,80})"\s{1,5}"([\w-]{1,80})"/gm
const REFERENCE = /\b([a-z]\w{2,80})\.([A-Za-z_][\w-]{0,80})\b/g
/** A block that is longer is read so far. */
const MOST_BLOCK = 20_000

/** The resources of a Terraform file that hold data, run programs or take requests. References to others are what they depend on. */
export function readTerraform(text: string, file: string): Deployed[] {
  const found: Deployed[] = []
  let line = 1
  let at = 0
  for (const { 0: whole, 1: type, 2: name, index } of text.matchAll(RESOURCE)) {
    for (; at < index; at++) if (text.charCodeAt(at) === 10) line++
    const role = TERRAFORM_RESOURCES.get(type!)
    if (role === undefined) continue
    const block = takeBlock(text, index + whole.length)
    const key = `${type}.${name}`
    const strings = [...block.matchAll(/"([^"\n]{1,500})"/g)].map(match => match[1])
    const { hosts, reaches } = readSettings(strings, new Set())
    const base = {
      ...{
        name: name!,
        key,
        file,
        line,
        image: type!,
        depends_on: listReferences(block, key),
      },
      published: isPublished(role, block),
      ...(hosts.length > 0 && { hosts }),
      ...(reaches.length > 0 && { reaches }),
    }
    if (role === 'proxy') found.push({ ...base, kind: 'proxy' })
    else if (role === 'process') {
      const image = /^[ \t]{0,12}image\s{0,8}=\s{0,3}"([^"$\n]{1,300})"/m.exec(block)?.[1]
      found.push({ ...base, kind: 'image', ...(image !== undefined && readImage(image)) })
    } else found.push({ ...base, kind: 'technology', technology: findReached(findEngine(block) ?? role)! })
  }
  return found
}

/** The text of a block from its header to the brace that ends it. */
function takeBlock(text: string, from: number): string {
  let depth = 0
  const end = Math.min(text.length, from + MOST_BLOCK)
  for (let at = text.indexOf('{', from); at !== -1 && at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === 123) depth++
    else if (code === 125 && --depth === 0) return text.slice(from, at)
  }
  return text.slice(from, end)
}

function listReferences(block: string, own: string): string[] {
  const keys = new Set<string>()
  for (const { 1: type, 2: name } of block.matchAll(REFERENCE))
    if (TERRAFORM_RESOURCES.has(type!) && `${type}.${name}` !== own) keys.add(`${type}.${name}`)
  return [...keys]
}

/** The database that a managed server runs. */
function findEngine(block: string): string | undefined {
  const engine = /^[ \t]{0,12}(?:engine|database_version)\s{0,8}=\s{0,3}"([\w-]{2,40})"/m
    .exec(block)?.[1]
    ?.toLowerCase()
  if (engine === undefined) return undefined
  const word = engine.replace(/^aurora-?/, '').replace(/[-_\d].*$/, '')
  return findTechnologyByScheme(word)?.id ?? findReached(word)?.id
}

function isPublished(role: string, block: string): boolean {
  if (role === 'proxy') return !/^[ \t]{0,12}internal\s{0,8}=\s{0,3}true\b/m.test(block)
  return /^[ \t]{0,12}(?:publicly_accessible|public_network_access_enabled|associate_public_ip_address|ipv4_enabled)\s{0,8}=\s{0,3}true\b|^[ \t]{0,12}acl\s{0,8}=\s{0,3}"public-read/m.test(
    block,
  )
}
