import type { KeyObject } from 'node:crypto'
import { type Envelope, signEnvelope } from '../attest/envelope.ts'
import { type BundleFile, digestFile, sortFiles } from './archive.ts'
import { staysInside } from './entries.ts'

export const MANIFEST = 'MANIFEST.sha256'
export const SIGNATURE = 'MANIFEST.sig'
/** Media type of a signed manifest: the lines that `sha256sum -c` reads. */
export const MANIFEST_TYPE = 'application/vnd.svc.manifest+sha256'

/** The manifest of files, a line each as `sha256sum` writes it, and its signature in a DSSE envelope. */
export async function signManifest(files: readonly BundleFile[], key: KeyObject): Promise<BundleFile[]> {
  const text = sortFiles(files)
    .map(file => `${digestFile(file)}  ${file.name}\n`)
    .join('')
  const envelope: Envelope = await signEnvelope(Buffer.from(text), MANIFEST_TYPE, key)
  return [
    { name: MANIFEST, content: text },
    { name: SIGNATURE, content: `${JSON.stringify(envelope)}\n` },
  ]
}

/** The digests of a manifest by name; undefined where a line is none, or a name is there twice or leads out. */
export function parseManifest(text: string): Map<string, string> | undefined {
  const digests = new Map<string, string>()
  for (const line of text.split('\n').slice(0, -1)) {
    const [, digest, name] = /^([0-9a-f]{64}) {2}([A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*)$/.exec(line) ?? []
    if (digest === undefined || name === undefined || !staysInside(name) || digests.has(name)) return undefined
    digests.set(name, digest)
  }
  return text.endsWith('\n') ? digests : undefined
}
