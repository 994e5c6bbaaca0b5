// A bucket on this machine for trying out a fleet: `npm run bucket`. What it has is in memory, and gone when it ends.

import { parseArgs } from 'node:util'
import { startBucket } from './bucket/server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '9000' },
    bucket: { type: 'string', default: 'svc-runs' },
    'key-id': { type: 'string', default: 'local' },
    secret: { type: 'string', default: 'local-only' },
    'fail-percent': { type: 'string', default: '0' },
  },
})
const share = Number(values['fail-percent']) / 100
const failures = ['error', 'cut', 'lost'] as const
const { url } = await startBucket({
  port: Number(values.port),
  keys: new Map([[values['key-id'], values.secret]]),
  buckets: [values.bucket],
  fail: () => (Math.random() < share ? failures[Math.floor(Math.random() * failures.length)] : undefined),
})
process.stdout.write(`Bucket s3://${values.bucket} at ${url}, in memory until Ctrl-C. Clients need:
export AWS_ENDPOINT_URL_S3=${url} AWS_ACCESS_KEY_ID=${values['key-id']} AWS_SECRET_ACCESS_KEY=${values.secret}
`)
