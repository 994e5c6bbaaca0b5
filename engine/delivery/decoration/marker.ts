/** The hidden marks by which svc knows its own comments again. A name is reduced to what cannot end a comment of HTML. */
export function makeGateMarker(project: string): string {
  return `<!-- svc:gate:${reduceName(project)} -->`
}

/** Which commit a comment is about. */
export function makeCommitMarker(sha: string): string {
  return `<!-- svc:commit:${reduceName(sha)} -->`
}

/** The mark of a review comment on one finding. */
export function makeFindingMarker(project: string, fingerprint: string): string {
  return `<!-- svc:finding:${reduceName(project)}:${reduceName(fingerprint)} -->`
}

/** The fingerprint in a review comment of the project; undefined in one of somebody else's. */
export function readFindingMarker(project: string, body: string): string | undefined {
  const start = `<!-- svc:finding:${reduceName(project)}:`
  const at = body.indexOf(start)
  if (at === -1) return undefined
  const end = body.indexOf(' -->', at)
  return end === -1 ? undefined : body.slice(at + start.length, end)
}

function reduceName(name: string): string {
  return name.replace(/[^\w./]+/g, '-').replace(/-{2,}/g, '-')
}
