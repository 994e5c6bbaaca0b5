import { isObject } from '../../base/text/json-object.ts'
import { TECHNOLOGIES, type Technology } from '../code/technologies.ts'

/** Something that an infrastructure file runs or rents. */
export interface Deployed {
  name: string
  file: string
  line: number
  /** `technology` for a known store, queue or service; `build` for a program of the repository; `image` for any other program. */
  kind: 'technology' | 'build' | 'image' | 'proxy'
  technology?: Technology
  /** Directory of the program, from the root. */
  directory?: string
  image?: string
  /** It can be reached from outside of the deployment. */
  published: boolean
  depends_on: string[]
}

/** Programs in front of others. */
const PROXIES = new Set([
  'nginx',
  'traefik',
  'caddy',
  'haproxy',
  'envoyproxy/envoy',
  'httpd',
  'kong',
  'nginxproxy/nginx-proxy',
  'openresty/openresty',
])

const BY_IMAGE = new Map(TECHNOLOGIES.flatMap(each => (each.images ?? []).map(image => [image, each] as const)))

/** Resources of Terraform, by the technology that they are; `process`, `proxy` and `entry` are not stores. */
export const TERRAFORM_RESOURCES: Readonly<Record<string, string>> = {
  ...{
    aws_db_instance: 'sql',
    aws_rds_cluster: 'sql',
    aws_dynamodb_table: 'dynamodb',
    aws_s3_bucket: 's3',
    aws_elasticache_cluster: 'redis',
  },
  ...{
    aws_elasticache_replication_group: 'redis',
    aws_sqs_queue: 'sqs',
    aws_sns_topic: 'sns',
    aws_msk_cluster: 'kafka',
    aws_opensearch_domain: 'elasticsearch',
  },
  ...{
    aws_elasticsearch_domain: 'elasticsearch',
    aws_mq_broker: 'rabbitmq',
    aws_docdb_cluster: 'mongodb',
    google_sql_database_instance: 'sql',
  },
  ...{
    google_storage_bucket: 'gcs',
    google_pubsub_topic: 'pubsub',
    google_redis_instance: 'redis',
    google_firestore_database: 'firestore',
  },
  ...{
    azurerm_storage_account: 'azure-blob',
    azurerm_postgresql_server: 'postgresql',
    azurerm_postgresql_flexible_server: 'postgresql',
  },
  ...{
    azurerm_mysql_server: 'mysql',
    azurerm_mysql_flexible_server: 'mysql',
    azurerm_mssql_server: 'mssql',
    azurerm_redis_cache: 'redis',
  },
  ...{ azurerm_servicebus_namespace: 'service-bus', azurerm_cosmosdb_account: 'mongodb' },
  ...{
    aws_lambda_function: 'process',
    aws_ecs_service: 'process',
    google_cloud_run_service: 'process',
    google_cloudfunctions_function: 'process',
  },
  ...{
    azurerm_linux_function_app: 'process',
    azurerm_linux_web_app: 'process',
    google_cloud_run_v2_service: 'process',
  },
  ...{
    aws_lb: 'proxy',
    aws_alb: 'proxy',
    aws_api_gateway_rest_api: 'proxy',
    aws_apigatewayv2_api: 'proxy',
    aws_cloudfront_distribution: 'proxy',
  },
}

/** The technology of a container image, registry and tag aside. */
export function findImage(image: string): { technology?: Technology; proxy: boolean } {
  const name = image
    .replace(/@sha256:[0-9a-f]+$/, '')
    .replace(/:[\w.-]*$/, '')
    .toLowerCase()
  const parts = name.split('/')
  const tails = parts.map((_, index) => parts.slice(index).join('/'))
  // A name of one part is an official image only by itself: `me/redis` is somebody's program.
  const known = tails.filter(
    (tail, index) => tail.includes('/') || index === 0 || /[.:]|^library$/.test(parts[index - 1]!),
  )
  for (const tail of known) {
    const technology = BY_IMAGE.get(tail)
    if (technology) return { technology, proxy: false }
  }
  return { proxy: known.some(tail => PROXIES.has(tail)) }
}

/** Whether a path names a file of Docker Compose. */
export const COMPOSE = /(?:^|\/)(?:docker-)?compose(?:[.-][\w.-]{1,40})?\.ya?ml$/
/** Whether a path names a file of Terraform. */
export const TERRAFORM = /\.tf$/

/** The services of a Compose file; build contexts are paths from the root. */
export function readCompose(document: unknown, file: string, lineOf: (name: string) => number): Deployed[] {
  const services = isObject(document) && isObject(document.services) ? document.services : {}
  const directory = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : ''
  return Object.entries(services).flatMap(([name, service]): Deployed[] => {
    if (!isObject(service)) return []
    const base = {
      ...{ name, file, line: lineOf(name), published: Array.isArray(service.ports) && service.ports.length > 0 },
      depends_on: listNames(service.depends_on),
    }
    const context =
      typeof service.build === 'string' ? service.build : isObject(service.build) ? service.build.context : undefined
    if (typeof context === 'string' || service.build !== undefined) {
      const at = joinPath(directory, typeof context === 'string' ? context : '.')
      return at === undefined ? [] : [{ ...base, kind: 'build', directory: at }]
    }
    return typeof service.image === 'string' ? [{ ...base, ...takeImage(service.image) }] : []
  })
}

function takeImage(image: string): Pick<Deployed, 'kind' | 'technology' | 'image'> {
  const { technology, proxy } = findImage(image)
  if (technology) return { kind: 'technology', technology, image }
  return { kind: proxy ? 'proxy' : 'image', image }
}

const WORKLOADS = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Pod', 'ReplicaSet', 'CronJob', 'Job'])

/** The workloads of a Kubernetes manifest; `documents` are those of the file. */
export function readKubernetes(
  documents: readonly unknown[],
  file: string,
  lineOf: (name: string) => number,
): Deployed[] {
  const published = documents.some(
    each =>
      isObject(each) &&
      (each.kind === 'Ingress' ||
        (each.kind === 'Service' && isObject(each.spec) && /^(?:LoadBalancer|NodePort)$/.test(String(each.spec.type)))),
  )
  return documents.flatMap((each): Deployed[] => {
    if (!isObject(each) || !WORKLOADS.has(String(each.kind)) || !isObject(each.metadata)) return []
    const name = String(each.metadata.name ?? each.kind)
    const images = listImages(each.spec, 0)
    return images.map(image => ({ name, file, line: lineOf(name), published, depends_on: [], ...takeImage(image) }))
  })
}

/** Images of containers, wherever the workload's kind has them; at most so deep as workloads are. */
function listImages(value: unknown, depth: number): string[] {
  if (!isObject(value) || depth > 8) return []
  const own = Array.isArray(value.containers)
    ? value.containers.flatMap(each => (isObject(each) && typeof each.image === 'string' ? [each.image] : []))
    : []
  return [...own, ...['template', 'spec', 'jobTemplate'].flatMap(key => listImages(value[key], depth + 1))]
}

/** The resources of a Terraform file that hold data, run programs or take requests. */
export function readTerraform(text: string, file: string): Deployed[] {
  const found: Deployed[] = []
  const byId = new Map(TECHNOLOGIES.map(each => [each.id, each]))
  for (const { 1: type, 2: name, index } of text.matchAll(
    /^[ \t]{0,8}resource\s{1,5}"(\w{1,80})"\s{1,5}"([\w-]{1,80})"/gm,
  )) {
    const role = Object.hasOwn(TERRAFORM_RESOURCES, type!) ? TERRAFORM_RESOURCES[type!]! : undefined
    if (role === undefined) continue
    const line = text.slice(0, index).split('\n').length
    const base = { name: name!, file, line, published: role === 'proxy', depends_on: [], image: type! }
    if (role === 'process') found.push({ ...base, kind: 'image' })
    else if (role === 'proxy') found.push({ ...base, kind: 'proxy' })
    else found.push({ ...base, kind: 'technology', technology: byId.get(role)! })
  }
  return found
}

function listNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((each): each is string => typeof each === 'string')
  return isObject(value) ? Object.keys(value) : []
}

/** A path from a directory, from the root; undefined where it leads out. */
function joinPath(directory: string, path: string): string | undefined {
  const parts = directory === '' ? [] : directory.split('/')
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else parts.push(part)
  }
  return parts.join('/')
}
