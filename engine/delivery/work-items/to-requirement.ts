import type { ProviderName, WorkItem } from '../providers/provider.ts'
import { isRequirementId, makeRecord, makeTitle, type RequirementRecord } from '../requirements/model.ts'

const PREFIXES: Record<ProviderName, string> = { github: 'GH', gitlab: 'GL', azure: 'AB', jira: '' }

/** The id that a requirement has for a work item: `GH-12` for #12 on GitHub, the key itself on Jira. */
export function makeRequirementId(provider: ProviderName, key: string): string {
  const number = /#([0-9]+)$/.exec(key)?.[1]
  return number === undefined || PREFIXES[provider] === '' ? key : `${PREFIXES[provider]}-${number}`
}

/** A work item as a requirement; undefined where its key cannot be an id. */
export function toRequirement(provider: ProviderName, item: WorkItem): RequirementRecord | undefined {
  const id = makeRequirementId(provider, item.key)
  const description = toText(item.description)
  const title = makeTitle(item.title)
  if (!isRequirementId(id) || title === '') return undefined
  return makeRecord({
    id,
    title,
    description,
    status: mapItemStatus(item),
    level: item.type.toLowerCase(),
    ...(item.parent !== undefined && { parent: [makeRequirementId(provider, item.parent)] }),
    source: {
      provider,
      key: item.key,
      ...(/^https?:\/\//.test(item.url) && { url: item.url }),
      ...(item.revision !== '' && { revision: item.revision }),
    },
    acceptance: readAcceptance(description),
  })
}

/** A closed item is a requirement that holds; one that nobody wants any more is obsolete, one that is labeled a draft is a draft. */
function mapItemStatus({ state, labels }: WorkItem): RequirementRecord['status'] {
  if (/not_planned|removed|rejected|won'?t (?:do|fix)|duplicate|obsolete|cancell?ed/i.test(state)) return 'obsolete'
  return labels.some(label => /^(?:draft|proposed)$/i.test(label)) ? 'draft' : 'approved'
}

/** Text of Markdown as it is; of HTML, in which Azure DevOps keeps descriptions, the words with their lines. */
function toText(description: string): string {
  const text = description.replaceAll('\r\n', '\n')
  if (!/<(?:div|p|br|ul|li|span)\b[^<>]*>/i.test(text)) return text.trim()
  return text
    .replace(/<li\b[^<>]*>/gi, '\n- ')
    .replace(/<(?:br|\/p|\/div|\/h[1-6])\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The items of the list below the heading "Acceptance criteria", whatever its level. */
function readAcceptance(description: string): string[] {
  const found: string[] = []
  let isInside = false
  for (const line of description.split('\n')) {
    const text = line.trim()
    if (/^(?:#{1,6}\s*|\*\*|h[1-6]\.\s*)?acceptance criteria\s*:?\s*(?:\*\*)?:?$/i.test(text)) {
      isInside = true
      continue
    }
    if (!isInside || text === '') continue
    const item = /^(?:[-*+]|[0-9]{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/.exec(text)?.[1]
    if (item === undefined) isInside = false
    else found.push(item)
  }
  return found
}
