import type { Enforcement } from '../sources/config/values.ts'

/** A zone that is watched where the configuration names none, with paths that prove its globs. */
export interface BuiltInZone {
  name: string
  enforcement: Enforcement
  patterns: readonly string[]
  /** Paths that lie in it. */
  match: readonly string[]
  /** Paths that look like it and do not. */
  clean: readonly string[]
}

/** Documents, pictures, styles and weights: they may speak of a zone, and do nothing in it. */
const NO_CODE = [
  '!**/*.{md,mdx,rst,adoc,txt,pdf,png,jpg,jpeg,gif,svg,webp,ico,css,scss,less}',
  '!**/*.{safetensors,onnx,pt,gguf,h5,ckpt}',
]

/**
 * The six built-in zones (spec "Blast-radius zone"). Words are whole parts of a name or stand at its beginning or end, so
 * that `author.ts` is no authentication and `hashtag.py` no cryptography. Letter case makes no difference to a zone.
 */
export const BUILT_IN_ZONES: readonly BuiltInZone[] = [
  {
    name: 'auth',
    enforcement: 'hitl',
    patterns: [
      ...NO_CODE,
      '**/{auth,authn,authz,authentication,authorization,oauth,oauth2,oidc,saml,sso,login,session,sessions,jwt,passwords,permissions,rbac}/**',
      '**/{auth,authn,authz,oauth,oauth2,oidc,saml,sso,login,logout,signin,session,sessions,jwt,password,passwords,credential,credentials,permission,permissions,rbac}.*',
      '**/{auth,authn,authz,oauth,oauth2,oidc,saml,sso,login,session,sessions,jwt,password}[-_.]*.*',
      '**/*[-_.]{auth,authn,authz,oauth,oauth2,oidc,saml,sso,login,session,sessions,jwt,password}.*',
      '**/*{authentication,authorization,authenticator}*.*',
      '**/{auth,login,session,jwt,password}{controller,service,middleware,guard,handler,provider,manager,store,filter,util,utils,helper}.*',
    ],
    match: [
      'src/auth/index.ts',
      'server/oauth/callback.py',
      'lib/session.rb',
      'app/middleware/jwt_verify.go',
      'src/main/java/AuthService.java',
      'pkg/user-password.ts',
      'web/UserAuthentication.kt',
    ],
    clean: ['src/author.ts', 'src/authors/list.ts', 'docs/oauth-overview.md', 'src/obsession.ts', 'src/blog/in.ts'],
  },
  {
    name: 'secrets',
    enforcement: 'block',
    patterns: [
      '**/.env',
      '**/.env.*',
      '!**/.env.{example,sample,template,dist}',
      '**/*.{pem,key,p12,pfx,jks,keystore,kdbx,ppk,p8,crt,cer,der,asc,gpg,age}',
      '**/id_{rsa,dsa,ecdsa,ed25519}',
      '**/{secrets,vault,vaults,.secrets,.vault,.ssh,.gnupg}/**',
      '**/{secret,secrets,vault,.netrc,.pgpass,.htpasswd}',
      '**/{secret,secrets,vault}.{yml,yaml,json,toml,ini,enc,txt,properties}',
      '**/*[-_.]{secret,secrets,vault}.{yml,yaml,json,toml}',
      '**/{credentials,service-account,service_account}{,.*}.json',
      '**/{.npmrc,.pypirc,.dockercfg}',
      '**/.{aws,docker,kube}/**',
    ],
    match: [
      '.env',
      'apps/api/.env.production',
      'certs/server.pem',
      'tls/server.key',
      'deploy/id_ed25519',
      'config/secrets.yml',
      'vault/policy.hcl',
      'k8s/db-secret.yaml',
      '.npmrc',
      'gcp/credentials.json',
    ],
    clean: ['.env.example', 'src/environment.ts', 'src/key.ts', 'docs/secrets.md', 'src/monkey.py', 'keys.md'],
  },
  {
    name: 'config',
    enforcement: 'warn',
    patterns: [
      '**/{Dockerfile,Containerfile,Makefile,Vagrantfile,Procfile,Jenkinsfile}{,.*}',
      '**/*.dockerfile',
      '**/{docker-compose,compose}{,.*}.{yml,yaml}',
      '.github/{workflows,actions}/**',
      '{.gitlab-ci,azure-pipelines,bitbucket-pipelines,.travis,.drone,appveyor,cloudbuild,buildspec}.{yml,yaml}',
      '.{circleci,buildkite,woodpecker,teamcity}/**',
      '**/*.{tf,tfvars,hcl,bicep,nomad}',
      '**/{terraform,k8s,kubernetes,helm,charts,ansible,pulumi,cloudformation,infra,infrastructure}/**',
      '**/{config,configs,conf}/**/*.{yml,yaml,json,toml,ini,cfg,conf,properties,xml,env,js,ts,py,rb,php}',
      '**/{application,appsettings,settings,config}{,.*,-*}.{yml,yaml,json,toml,ini,properties,xml}',
      '**/{nginx,httpd,haproxy,envoy}{,.*}.{conf,cfg,yaml}',
      '**/{serverless,skaffold,Chart,values,kustomization,fly,vercel,netlify}.{yml,yaml,toml,json}',
    ],
    match: [
      'Dockerfile',
      'docker/Dockerfile.prod',
      'docker-compose.override.yml',
      '.github/workflows/ci.yml',
      'main.tf',
      'infra/network/vpc.ts',
      'config/database.yml',
      'src/main/resources/application-prod.yml',
      'Api/appsettings.Production.json',
      'deploy/nginx.conf',
    ],
    clean: ['src/configure.ts', 'docs/terraform.md', 'src/settings/panel.tsx', 'package.json', 'src/dockerfiles.ts'],
  },
  {
    name: 'billing',
    enforcement: 'hitl',
    patterns: [
      ...NO_CODE,
      '**/{billing,payment,payments,invoice,invoices,invoicing,subscription,subscriptions,checkout,pricing,stripe,paypal,braintree,adyen}/**',
      '**/{billing,payment,payments,invoice,invoices,invoicing,checkout,refund,refunds,pricing,stripe,paypal,braintree,adyen}{,[-_.]*}.*',
      '**/*[-_.]{billing,payment,payments,invoice,invoices,checkout,refund,refunds,stripe,paypal}.*',
      '**/{billing,payment,invoice,checkout,refund,subscription}{controller,service,handler,gateway,processor,provider,manager,client,worker}.*',
      '**/{customer,plan,user,account}[-_.]{subscription,subscriptions}.*',
    ],
    match: [
      'src/billing/plan.ts',
      'app/payments.py',
      'lib/stripe-webhook.ts',
      'services/InvoiceService.java',
      'api/checkout/session.go',
      'app/models/user_subscription.rb',
    ],
    clean: ['src/payload.ts', 'docs/billing.md', 'src/event-subscription.ts', 'src/invoke.ts'],
  },
  {
    name: 'database',
    enforcement: 'warn',
    patterns: [
      ...NO_CODE,
      '**/{migrations,migration,migrate,models,model,entities,schema,schemas,prisma,alembic,flyway,liquibase}/**',
      '**/{db,database}/**',
      '**/*.{sql,prisma,ddl,cql}',
      '**/{schema,models,structure}.{rb,py,sql,prisma,graphql}',
      '**/{database,repository,dao,orm}.*',
    ],
    match: [
      'db/migrate/001_create.rb',
      'app/migrations/0001_initial.py',
      'src/models/user.ts',
      'queries/report.sql',
      'prisma/schema.prisma',
      'blog/models.py',
      'src/database.ts',
    ],
    clean: ['src/modeling.ts', 'docs/migrations.md', 'src/feedback.ts', 'ml/weights/bert.safetensors'],
  },
  {
    name: 'crypto',
    enforcement: 'hitl',
    patterns: [
      ...NO_CODE,
      '**/{crypto,cryptography,encryption,signing,pki,tls,ssl,kms}/**',
      '**/{crypto,cryptography,cipher,ciphers,encrypt,encryption,decrypt,hash,hasher,hashing,hmac,sign,signer,signing,signature,signatures,tls,ssl,pki,keystore,aes,rsa,ecdsa,ed25519}.*',
      '**/{crypto,cipher,encrypt,encryption,decrypt,hash,hashing,hmac,sign,signing,signature,aes,rsa}[-_.]*.*',
      '**/*[-_.]{crypto,cipher,encrypt,encryption,decrypt,hash,hashing,hmac,sign,signing,signature,aes,rsa}.*',
      '**/*{crypto,encryption,signature,cipher}{service,provider,util,utils,helper,verifier,manager}.*',
    ],
    match: [
      'src/crypto/index.ts',
      'lib/hash.py',
      'pkg/signature.go',
      'src/password_hash.rs',
      'app/EncryptionService.cs',
      'core/hmac-sha256.ts',
    ],
    clean: ['src/hashtag.py', 'src/design.ts', 'src/signals.ts', 'docs/crypto.md', 'src/assign.ts'],
  },
]
