/** How the names of an attestation's documents end: in place of `.json` of the named file, or after its name. The attestation is the first. */
export const ATTESTATION_ENDINGS = ['.json', '.intoto.json', '.sigstore.json', '.vsa.intoto.json', '.cdx.json'] as const
