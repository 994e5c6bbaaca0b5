import { describe, expect, it } from 'vitest'
import { readApiDocument } from '../../../engine/review/threats/api-documents.ts'
import { readCompose } from '../../../engine/review/threats/compose.ts'
import { readKubernetes } from '../../../engine/review/threats/kubernetes.ts'
import { readServerless, readTemplate } from '../../../engine/review/threats/serverless.ts'
import { readTerraform } from '../../../engine/review/threats/terraform.ts'

const at = () => 1
const compose = (services: object) => readCompose({ services }, 'compose.yaml', at)

describe('Docker Compose', () => {
  it('a port that is bound to this machine is not published', () => {
    const ports = (each: unknown) => compose({ db: { image: 'postgres', ports: [each] } })[0]!.published
    expect([ports('5432:5432'), ports('127.0.0.1:5432:5432'), ports({ target: 1, host_ip: '127.0.0.1' })]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('addresses in settings say what a service connects to, inside and outside', () => {
    const environment = { DATABASE_URL: 'postgres://u:p@db:5432/x', CACHE_HOST: 'cache', API: 'https://api.pay.io/v1' }
    const [web] = compose({ web: { build: '.', environment }, db: { image: 'postgres' }, cache: { image: 'redis' } })
    expect(web).toMatchObject({ depends_on: ['db', 'cache'], hosts: ['api.pay.io'] })
    const [alone] = compose({ web: { build: '.', environment: ['DB=mysql://u@db.corp.net/x'] } })
    expect(alone).toMatchObject({ depends_on: [], reaches: ['mysql'] })
  })

  it('networks are boundaries, and the socket of the daemon is reached', () => {
    const [web] = compose({
      web: { image: 'me/web', networks: ['back', 'front'], volumes: ['/var/run/docker.sock:/x'] },
    })
    expect(web).toMatchObject({ boundary: 'network back and front', reaches: ['docker'] })
  })
})

describe('Kubernetes', () => {
  const workload = (name: string, image: string, more: object = {}, env: object[] = []) => ({
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, ...more } },
    spec: { template: { metadata: { labels: { app: name } }, spec: { containers: [{ image, env }] } } },
  })
  const service = (name: string, type: string, more: object = {}) => ({
    ...{ kind: 'Service', metadata: { name, ...more }, spec: { type, selector: { app: name } } },
  })
  const read = (...documents: object[]) =>
    readKubernetes(documents.map((document, index) => ({ document, file: `${index}.yaml`, lineOf: at })))

  it('a workload is published by a service or route of another file that selects it, and by no other', () => {
    const ingress = {
      kind: 'Ingress',
      metadata: { name: 'i' },
      spec: { rules: [{ http: { paths: [{ backend: { service: { name: 'shop' } } }] } }] },
    }
    const found = read(
      ...[workload('web', 'me/web'), workload('shop', 'me/shop'), workload('db', 'postgres:16')],
      ...[service('web', 'LoadBalancer'), service('shop', 'ClusterIP'), service('db', 'ClusterIP'), ingress],
    )
    expect(found.map(({ name, published }) => `${name} ${published}`)).toEqual(['web true', 'shop true', 'db false'])
  })

  it('an address of a service in settings or a ConfigMap is a connection to its workload', () => {
    const from = workload('web', 'me/web')
    Object.assign(from.spec.template.spec.containers[0]!, { envFrom: [{ configMapRef: { name: 'settings' } }] })
    const settings = {
      kind: 'ConfigMap',
      metadata: { name: 'settings' },
      data: { DB: 'postgres://db.prod.svc:5432/x' },
    }
    const [web] = read(from, workload('db', 'postgres'), service('db', 'ClusterIP'), settings)
    expect(web!.depends_on).toEqual(['db'])
  })

  it('namespaces are boundaries where there are several', () => {
    const namespaces = read(workload('a', 'me/a', { namespace: 'x' }), workload('b', 'me/b', { namespace: 'y' }))
    expect(namespaces.map(({ boundary }) => boundary)).toEqual(['namespace x', 'namespace y'])
    expect(read(workload('a', 'me/a'))[0]!.boundary).toBeUndefined()
  })
})

describe('Terraform', () => {
  it('a managed database is what its engine says, and public where it says so', () => {
    const text = 'resource "aws_db_instance" "main" {\n  engine = "postgres"\n  publicly_accessible = true\n}\n'
    expect(readTerraform(text, 'a.tf')).toMatchObject([{ technology: { id: 'postgresql' }, published: true }])
    expect(readTerraform('resource "aws_db_instance" "main" {\n}\n', 'a.tf')).toMatchObject([
      { technology: { id: 'sql' }, published: false },
    ])
  })

  it('references are connections, and an internal load balancer is not published', () => {
    const text =
      '\nresource "aws_lambda_function" "api" {\n  environment { variables = { T = aws_dynamodb_table.users.name } }\n}\nresource "aws_dynamodb_table" "users" {}\nresource "aws_lb" "in" {\n  internal = true\n}\n'
    expect(readTerraform(text, 'a.tf')).toMatchObject([
      { key: 'aws_lambda_function.api', line: 2, depends_on: ['aws_dynamodb_table.users'], kind: 'image' },
      { key: 'aws_dynamodb_table.users', line: 5 },
      { kind: 'proxy', published: false },
    ])
  })
})

describe('functions of a cloud', () => {
  it('serverless.yml has ways in, sources of messages and resources', () => {
    const functions = {
      list: { handler: 'a.b', events: [{ http: 'GET users/{id}' }, { httpApi: { method: 'post', path: '/in' } }] },
      work: { handler: 'a.c', events: [{ sqs: { arn: 'x' } }, { schedule: 'rate(1 hour)' }] },
    }
    const resources = { Resources: { Users: { Type: 'AWS::DynamoDB::Table' }, Role: { Type: 'AWS::IAM::Role' } } }
    const { entry_points, deployed } = readServerless({ functions, resources }, 'serverless.yml', at)
    expect(entry_points.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET users/{id}',
      'POST /in',
      'MESSAGE work',
    ])
    expect(deployed.map(({ technology }) => technology?.id)).toEqual(['sqs', 'dynamodb'])
  })

  it('a template of SAM has the same', () => {
    const Resources = {
      Api: {
        Type: 'AWS::Serverless::Function',
        Properties: { Events: { Get: { Type: 'Api', Properties: { Path: '/a', Method: 'get', Auth: {} } } } },
      },
      Files: { Type: 'AWS::S3::Bucket' },
    }
    const { entry_points, deployed, has_auth } = readTemplate({ Resources }, 'template.yaml', at)
    expect(entry_points).toMatchObject([{ method: 'GET', path: '/a', source: 'infrastructure' }])
    expect([deployed.map(({ technology }) => technology?.id), has_auth]).toEqual([['s3'], true])
  })

  it('hostile documents give nothing and end', () => {
    for (const odd of [
      null,
      [],
      'x',
      { functions: [null, { a: [] }], resources: [] },
      { functions: { a: { events: [[], 1, { http: null }] } } },
    ])
      expect(() => [
        readServerless(odd, 's.yml', at),
        readTemplate(odd, 't.yml', at),
        readApiDocument(odd, 'a.yml', at),
      ]).not.toThrow()
  })
})

describe('descriptions of APIs', () => {
  it('OpenAPI has operations, authentication, identity providers and callbacks', () => {
    const scheme = {
      type: 'oauth2',
      flows: { password: { tokenUrl: 'https://login.pay.io/token' } },
      description: 'see https://docs.pay.io',
    }
    const document = {
      openapi: '3.1.0',
      paths: { '/a': { get: {}, post: { callbacks: { done: {} } } } },
      components: { securitySchemes: { main: scheme } },
    }
    const found = readApiDocument(document, 'openapi.yaml', at)
    expect(found.entry_points.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /a', 'POST /a'])
    expect(found).toMatchObject({ auth: 1, hosts: [{ host: 'login.pay.io' }], callbacks: [1] })
  })

  it('AsyncAPI has brokers and the messages that the program takes', () => {
    const servers = { main: { protocol: 'kafka-secure' } }
    const two = readApiDocument(
      { asyncapi: '2.6.0', servers, channels: { a: { publish: {} }, b: { subscribe: {} } } },
      'x',
      at,
    )
    expect([two.brokers.map(({ technology }) => technology.id), two.entry_points.map(({ path }) => path)]).toEqual([
      ['kafka'],
      ['a'],
    ])
    const three = readApiDocument(
      { asyncapi: '3.0.0', operations: { take: { action: 'receive' }, give: { action: 'send' } } },
      'x',
      at,
    )
    expect(three.entry_points.map(({ path }) => path)).toEqual(['take'])
  })
})
