import type { WrittenRule } from '../sources/packs/pack-file.ts'
import { PROTO_BOUNDS, type Service } from './protobuf.ts'
import { RULE_TEXTS } from './rule-texts.ts'
import { SENSITIVE_NAME } from './weakness.ts'

const example = (glob: string, field: string) => ({
  path: glob.replace('**/', ''),
  code: `syntax = "proto3";\nmessage Order {\n  ${field}\n}\n`,
})

/** The rules that find the weak fields of a .proto file. Who may make a call shows in no .proto file: see `callObligations`. */
export function makeProtoRules(packId: string, path: string): WrittenRule[] {
  const shared = { type: 'regex', languages: ['protobuf'], files: [path], contexts: ['code'] }
  return [
    {
      id: `${packId}-unbounded-string`,
      ...shared,
      ...RULE_TEXTS['unbounded-string'],
      remediation:
        'Say how long it may be, for example `[(buf.validate.field).string.max_len = 80]`, and have the code check it.',
      regex: `\\b(?:string|bytes)\\s+\\w+\\s*=\\s*\\d+\\s*(?:;|\\[(?![^;]{0,900}\\b(?:${PROTO_BOUNDS})\\b))`,
      match: [example(path, 'string note = 1;'), example(path, 'repeated bytes parts = 2 [deprecated = true];')],
      clean: [
        example(path, 'string note = 1 [(buf.validate.field).string.max_len = 80];'),
        example(path, '// string note = 1;'),
      ],
    },
    {
      id: `${packId}-sensitive-field`,
      ...shared,
      ...RULE_TEXTS['sensitive-field'],
      remediation:
        'Remove the field from the response, or mark it `[debug_redact = true]` and suppress the finding with the reason.',
      regex: `\\b[\\w.]+[ \\t]+${SENSITIVE_NAME}\\s*=\\s*\\d+`,
      match: [example(path, 'string user_password = 1;')],
      clean: [example(path, 'int32 spin = 1;')],
    },
  ]
}

/** The documentation obligations for the calls of each service, as in pack.yaml. */
export function callObligations(packId: string, services: readonly Service[]): Record<string, unknown>[] {
  return services
    .filter(({ calls }) => calls.length > 0)
    .map(({ name, calls }) => ({
      id: `${packId}-${name.toLowerCase()}-auth`,
      control: 'rpc-authentication',
      title: `Authentication of ${name}`,
      evidence: `For each call, how the caller is authenticated and authorized: ${calls.map(call => call.name).join(', ')}.`,
    }))
}
