import { EngineError } from '../../base/errors.ts'

/** A bucket with what is needed to speak to it. */
export interface BucketSettings {
  bucket: string
  /** Begins every key; empty, or ends with a slash. */
  prefix: string
  /** Address of the bucket, ends with a slash. */
  url: string
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
}

/** Names of buckets (S3 "Bucket naming rules"). */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^(?:[A-Za-z0-9_][A-Za-z0-9._-]*\/)*$/

/**
 * The settings of `s3://<bucket>/<prefix>` with the variables that the AWS tools read: endpoint, region and credentials come from the
 * environment only, so no repository chooses who gets them. CONFIG_INVALID with what is missing.
 */
export function readBucketSettings(url: string, env: Readonly<Record<string, string | undefined>>): BucketSettings {
  const [bucket = '', ...segments] = url.replace(/^s3:\/\//, '').split('/')
  const prefix = segments
    .filter(each => each !== '')
    .map(each => `${each}/`)
    .join('')
  if (!BUCKET.test(bucket) || bucket.includes('..') || !PREFIX.test(prefix) || prefix.length > 200)
    throw new EngineError('CONFIG_INVALID', `fleet.store cannot be ${JSON.stringify(url)}.`, {
      hint: 'Set it to s3://<bucket>/<prefix>.',
    })
  const accessKeyId = env.AWS_ACCESS_KEY_ID?.trim()
  const secretAccessKey = env.AWS_SECRET_ACCESS_KEY?.trim()
  if (!accessKeyId || !secretAccessKey)
    throw new EngineError('CONFIG_INVALID', `There are no credentials for ${url}.`, {
      hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN if they are temporary.',
    })
  const sessionToken = env.AWS_SESSION_TOKEN?.trim()
  const region = env.AWS_REGION?.trim() || env.AWS_DEFAULT_REGION?.trim() || 'us-east-1'
  return {
    ...{ bucket, prefix, region, url: locateBucket(bucket, region, env) },
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
  }
}

/** Own servers have the bucket in the path; AWS has it in the host name, which its certificates cover for names without dots. */
function locateBucket(bucket: string, region: string, env: Readonly<Record<string, string | undefined>>): string {
  const named = env.AWS_ENDPOINT_URL_S3?.trim() || env.AWS_ENDPOINT_URL?.trim()
  if (!named) {
    const host = `s3.${region}.amazonaws.com`
    return bucket.includes('.') ? `https://${host}/${bucket}/` : `https://${bucket}.${host}/`
  }
  if (!/^https?:\/\/[^\s?#@]+$/.test(named) || !URL.canParse(named))
    throw new EngineError('CONFIG_INVALID', 'AWS_ENDPOINT_URL_S3 is not the http or https URL of a server.', {
      hint: 'Set it to an address such as https://s3.example.com, without user, password and query.',
    })
  return `${named.replace(/\/+$/, '')}/${bucket}/`
}
