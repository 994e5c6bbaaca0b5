import type { Run } from '../../base/records/run.ts'
import { VERSION } from '../../base/version.ts'

/** What a bundle's README says beside what is the same in all. */
export interface ReadmeFacts {
  run: Run
  keyId: string
  publicPem: string
  /** Sentences about what is not in the bundle, and why. */
  missing: readonly string[]
  names: readonly string[]
}

const PARTS: readonly (readonly [prefix: string, content: string])[] = [
  ['run/run.json', 'the record of the run: what was scanned, skipped and not evaluated, and the result of the gate'],
  ['run/findings.jsonl', 'every finding, one JSON object a line'],
  ['run/findings.parquet', 'the same findings as svc stored them'],
  ['run/files.parquet', 'every file that was scanned, with its metrics'],
  ['reports/', 'reports of the run for people and tools'],
  ['frameworks/', 'controls of the frameworks that were on, with their state'],
  ['evidence/', 'evidence behind each control, with what people vouch for'],
  ['sbom/', 'software bill of materials, as of the export'],
  ['vulnerabilities/', 'known vulnerabilities of dependencies, as of the date in the file'],
  ['attestations/', 'signed statements about the run'],
  ['audit/', 'audit log up to the end of the run, with an anchor'],
  ['harness/', 'activity and approvals of coding agents'],
  ['packs/', 'rules and packs as they were in the run'],
  ['config/', 'settings, with credentials replaced by ***'],
]

/** The README of a bundle: what is in it, and how somebody without svc verifies it. */
export function renderReadme({ run, keyId, publicPem, missing, names }: ReadmeFacts): string {
  const rows = PARTS.filter(([prefix]) => names.some(name => name.startsWith(prefix))).map(
    ([prefix, content]) => `| \`${prefix}\` | ${content} |`,
  )
  return `# Audit bundle of ${plain(run.root_name)}

This bundle holds what svc ${VERSION} recorded of run ${run.id}, from ${run.started_at} to ${run.finished_at}${run.git_sha ? `, commit ${run.git_sha}` : ''}.
It was exported for auditors. Everything in it can be verified without svc.

| Path | Content |
|---|---|
${rows.join('\n')}
| \`MANIFEST.sha256\` | SHA-256 of every other file |
| \`MANIFEST.sig\` | the manifest, signed (DSSE envelope, Ed25519) |

## What is not here

${missing.length === 0 ? 'Nothing was left out.' : missing.map(text => `- ${text}`).join('\n')}

## Scope and gaps

- Scope: ${plain(run.scope)}. Files scanned: ${run.counts.files}. Rules: ${run.counts.rules}.
- Rules that were not evaluated somewhere: ${new Set(run.not_evaluated.map(({ rule_id }) => rule_id)).size}. They are neither passed nor failed.
- svc reports what its rules find. It does not certify that a control is met.

## Verify

1. Every file is as listed: \`sha256sum --check MANIFEST.sha256\`.
2. The list is as signed. Ask the issuer for the public key by another way, and compare it with the one below. Its id is the SHA-256 of the
   key in DER: \`${keyId}\`. Then, with the key in \`svc.pub.pem\`:

\`\`\`sh
python3 - <<'END'
import base64, json
envelope = json.load(open('MANIFEST.sig'))
payload = base64.b64decode(envelope['payload'])
assert payload == open('MANIFEST.sha256', 'rb').read(), 'MANIFEST.sha256 is not the one that was signed'
kind = envelope['payloadType'].encode()
open('signed', 'wb').write(b'DSSEv1 %d %s %d %s' % (len(kind), kind, len(payload), payload))
open('signature', 'wb').write(base64.b64decode(envelope['signatures'][0]['sig']))
END
openssl pkeyutl -verify -pubin -inkey svc.pub.pem -rawin -in signed -sigfile signature
\`\`\`

3. The findings are those that were attested: \`findings_digest\` of \`attestations/attestation.json\` is the SHA-256 over fingerprint, status,
   severity and rule of each finding, separated by tabs, sorted.

With svc: \`svc export-audit --verify <this file> --key svc.pub.pem\`.

\`\`\`
${publicPem.trim()}
\`\`\`
`
}

/** A name from the repository in one line of text. */
function plain(text: string): string {
  return text.replace(/[^\p{L}\p{N} ._/@:+-]/gu, '?')
}
