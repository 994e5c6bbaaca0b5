/** A data store, queue or service that programs reach, by what shows it in code, manifests and infrastructure files. */
export interface Technology {
  id: string
  name: string
  kind: 'store' | 'queue' | 'service'
  /** Modules as code imports them: the name itself, or what begins with it and a separator. */
  modules: readonly string[]
  /** Container images without registry and tag. */
  images?: readonly string[]
  /** Schemes of connection addresses, without `://`; and words that stand for it in settings. */
  schemes?: readonly string[]
  /** A library that reaches one of several databases: it counts only where none of them shows. */
  generic?: true
  /** It lies in the program's own process or on its disk. */
  embedded?: true
}

const store = (id: string, name: string, modules: string, more: Partial<Technology> = {}): Technology => ({
  ...{ id, name, kind: 'store', modules: modules.split(' ') },
  ...more,
})
const queue = (id: string, name: string, modules: string, more: Partial<Technology> = {}): Technology => ({
  ...store(id, name, modules, more),
  kind: 'queue',
})
const service = (id: string, name: string, modules: string, more: Partial<Technology> = {}): Technology => ({
  ...store(id, name, modules, more),
  kind: 'service',
})

/** What svc knows; names of packages are those of their registries. */
export const TECHNOLOGIES: readonly Technology[] = [
  store(
    'postgresql',
    'PostgreSQL',
    'pg pg-promise postgres psycopg2 psycopg asyncpg org.postgresql github.com/lib/pq github.com/jackc/pgx Npgsql tokio_postgres gorm.io/driver/postgres pg8000',
    {
      images: ['postgres', 'postgis/postgis', 'timescale/timescaledb', 'bitnami/postgresql'],
      schemes: [
        'postgres',
        'postgresql',
        'postgresql+asyncpg',
        'jdbc:postgresql',
        'pgsql',
        'django.db.backends.postgresql',
      ],
    },
  ),
  store(
    'mysql',
    'MySQL',
    'mysql mysql2 pymysql MySQLdb mysql.connector com.mysql github.com/go-sql-driver/mysql MySqlConnector MySql.Data.MySqlClient gorm.io/driver/mysql aiomysql mysqlclient mariadb',
    {
      images: ['mysql', 'mariadb', 'percona', 'bitnami/mysql', 'bitnami/mariadb'],
      schemes: [
        'mysql',
        'mysql2',
        'mariadb',
        'jdbc:mysql',
        'jdbc:mariadb',
        'mysql+pymysql',
        'django.db.backends.mysql',
      ],
    },
  ),
  store(
    'sqlite',
    'SQLite',
    'sqlite3 sqlite better-sqlite3 node:sqlite aiosqlite github.com/mattn/go-sqlite3 modernc.org/sqlite org.sqlite Microsoft.Data.Sqlite rusqlite gorm.io/driver/sqlite',
    {
      schemes: ['sqlite', 'sqlite3', 'jdbc:sqlite', 'django.db.backends.sqlite3'],
      embedded: true,
    },
  ),
  store(
    'mssql',
    'Microsoft SQL Server',
    'mssql tedious pyodbc pymssql System.Data.SqlClient Microsoft.Data.SqlClient github.com/denisenkom/go-mssqldb github.com/microsoft/go-mssqldb',
    {
      images: ['mcr.microsoft.com/mssql/server', 'mssql/server', 'azure-sql-edge'],
      schemes: ['sqlserver', 'mssql', 'jdbc:sqlserver'],
    },
  ),
  store('oracle', 'Oracle Database', 'oracledb cx_Oracle oracle.jdbc Oracle.ManagedDataAccess', {
    images: ['gvenzl/oracle-xe', 'oracle/database'],
    schemes: ['oracle', 'jdbc:oracle'],
  }),
  store('h2', 'H2', 'org.h2', { schemes: ['jdbc:h2'], embedded: true }),
  store(
    'mongodb',
    'MongoDB',
    'mongodb mongoose pymongo motor mongoengine com.mongodb org.springframework.data.mongodb go.mongodb.org/mongo-driver MongoDB.Driver mongoid mongo flask_pymongo beanie',
    {
      images: ['mongo', 'bitnami/mongodb', 'mongodb/mongodb-community-server'],
      schemes: ['mongodb', 'mongodb+srv'],
    },
  ),
  store(
    'redis',
    'Redis',
    'redis ioredis @redis/client aioredis redis.clients.jedis io.lettuce org.springframework.data.redis github.com/redis/go-redis github.com/go-redis/redis StackExchange.Redis connect-redis flask_redis predis Predis',
    {
      images: ['redis', 'valkey/valkey', 'bitnami/redis', 'redis/redis-stack', 'keydb', 'redis/redis-stack-server'],
      schemes: ['redis', 'rediss'],
    },
  ),
  store(
    'memcached',
    'Memcached',
    'memcached memjs pymemcache pylibmc github.com/bradfitz/gomemcache dalli net.spy.memcached',
    {
      images: ['memcached', 'bitnami/memcached'],
    },
  ),
  store(
    'elasticsearch',
    'Elasticsearch',
    '@elastic/elasticsearch elasticsearch elasticsearch_dsl @opensearch-project/opensearch opensearchpy org.elasticsearch co.elastic.clients github.com/elastic/go-elasticsearch Nest',
    {
      images: [
        'elasticsearch',
        'docker.elastic.co/elasticsearch/elasticsearch',
        'opensearchproject/opensearch',
        'elasticsearch/elasticsearch',
      ],
    },
  ),
  store('cassandra', 'Cassandra', 'cassandra-driver cassandra com.datastax github.com/gocql/gocql', {
    images: ['cassandra', 'scylladb/scylla'],
  }),
  store(
    'dynamodb',
    'Amazon DynamoDB',
    '@aws-sdk/client-dynamodb @aws-sdk/lib-dynamodb software.amazon.awssdk.services.dynamodb com.amazonaws.services.dynamodbv2 pynamodb github.com/aws/aws-sdk-go-v2/service/dynamodb Amazon.DynamoDBv2 dynamoose',
    {
      images: ['amazon/dynamodb-local'],
    },
  ),
  store(
    's3',
    'Amazon S3 or compatible object store',
    '@aws-sdk/client-s3 @aws-sdk/s3-request-presigner multer-s3 software.amazon.awssdk.services.s3 com.amazonaws.services.s3 github.com/aws/aws-sdk-go-v2/service/s3 Amazon.S3 minio s3fs',
    {
      images: ['minio/minio', 'bitnami/minio'],
      schemes: ['s3'],
    },
  ),
  store(
    'gcs',
    'Google Cloud Storage',
    '@google-cloud/storage google.cloud.storage com.google.cloud.storage cloud.google.com/go/storage',
    { schemes: ['gs'] },
  ),
  store(
    'firestore',
    'Firestore',
    '@google-cloud/firestore firebase-admin firebase google.cloud.firestore firebase_admin',
  ),
  store(
    'azure-blob',
    'Azure Blob Storage',
    '@azure/storage-blob azure.storage.blob com.azure.storage.blob Azure.Storage.Blobs',
  ),
  store('neo4j', 'Neo4j', 'neo4j-driver neo4j org.neo4j', { images: ['neo4j'], schemes: ['bolt', 'neo4j'] }),
  store('influxdb', 'InfluxDB', '@influxdata/influxdb-client influxdb_client influxdb', { images: ['influxdb'] }),
  store('clickhouse', 'ClickHouse', '@clickhouse/client clickhouse_driver clickhouse_connect', {
    images: ['clickhouse/clickhouse-server', 'clickhouse'],
  }),
  store('leveldb', 'LevelDB', 'level levelup leveldown plyvel', { embedded: true }),
  store('nedb', 'NeDB', 'nedb nedb-promises @seald-io/nedb', { embedded: true }),
  store('lowdb', 'lowdb', 'lowdb', { embedded: true }),
  store('etcd', 'etcd', 'etcd3 go.etcd.io/etcd', { images: ['etcd', 'quay.io/coreos/etcd', 'bitnami/etcd'] }),
  store(
    'ldap',
    'LDAP directory',
    'ldapjs ldapts ldap ldap3 javax.naming.directory org.springframework.ldap github.com/go-ldap/ldap System.DirectoryServices net/ldap net-ldap',
    {
      images: ['osixia/openldap', 'bitnami/openldap'],
      schemes: ['ldap', 'ldaps'],
    },
  ),
  store(
    'sql',
    'SQL database',
    'sequelize typeorm knex @prisma/client prisma drizzle-orm bookshelf objection @mikro-orm/core sqlalchemy flask_sqlalchemy django.db peewee tortoise sqlmodel javax.persistence jakarta.persistence org.hibernate org.springframework.jdbc org.springframework.data.jpa java.sql javax.sql database/sql gorm.io/gorm github.com/jmoiron/sqlx Microsoft.EntityFrameworkCore System.Data.Entity Dapper active_record activerecord sequel Illuminate\\Support\\Facades\\DB Illuminate\\Database Doctrine\\ORM Doctrine\\DBAL org.jetbrains.exposed org.jooq diesel sqlx sea_orm org.apache.ibatis',
    {
      generic: true,
    },
  ),
  queue(
    'kafka',
    'Kafka',
    'kafkajs node-rdkafka kafka confluent_kafka aiokafka org.apache.kafka org.springframework.kafka github.com/segmentio/kafka-go github.com/IBM/sarama github.com/Shopify/sarama Confluent.Kafka',
    {
      images: ['confluentinc/cp-kafka', 'bitnami/kafka', 'apache/kafka', 'wurstmeister/kafka', 'redpandadata/redpanda'],
    },
  ),
  queue(
    'rabbitmq',
    'RabbitMQ',
    'amqplib amqp-connection-manager pika aio_pika kombu com.rabbitmq org.springframework.amqp github.com/rabbitmq/amqp091-go github.com/streadway/amqp RabbitMQ.Client bunny',
    {
      images: ['rabbitmq', 'bitnami/rabbitmq'],
      schemes: ['amqp', 'amqps'],
    },
  ),
  queue('nats', 'NATS', 'nats github.com/nats-io/nats.go', { images: ['nats'], schemes: ['nats'] }),
  queue('mqtt', 'MQTT broker', 'mqtt paho paho.mqtt.client org.eclipse.paho', {
    images: ['eclipse-mosquitto', 'emqx/emqx', 'emqx'],
    schemes: ['mqtt', 'mqtts'],
  }),
  queue(
    'sqs',
    'Amazon SQS',
    '@aws-sdk/client-sqs sqs-consumer software.amazon.awssdk.services.sqs github.com/aws/aws-sdk-go-v2/service/sqs',
  ),
  queue('sns', 'Amazon SNS', '@aws-sdk/client-sns software.amazon.awssdk.services.sns'),
  queue(
    'pubsub',
    'Google Pub/Sub',
    '@google-cloud/pubsub google.cloud.pubsub google.cloud.pubsub_v1 cloud.google.com/go/pubsub',
  ),
  queue('bullmq', 'Job queue (Redis)', 'bullmq bull bee-queue sidekiq rq'),
  queue('celery', 'Celery task queue', 'celery'),
  queue('service-bus', 'Azure Service Bus', '@azure/service-bus azure.servicebus Azure.Messaging.ServiceBus'),
  queue('jms', 'JMS broker', 'javax.jms jakarta.jms org.apache.activemq', {
    images: ['apache/activemq-artemis', 'rmohr/activemq'],
  }),
  service('stripe', 'Stripe', 'stripe com.stripe github.com/stripe/stripe-go Stripe @stripe/stripe-js'),
  service('paypal', 'PayPal', '@paypal/checkout-server-sdk paypalrestsdk com.paypal braintree'),
  service('twilio', 'Twilio', 'twilio com.twilio github.com/twilio/twilio-go'),
  service('sendgrid', 'SendGrid', '@sendgrid/mail sendgrid com.sendgrid'),
  service('mailgun', 'Mailgun', 'mailgun.js mailgun-js'),
  service(
    'smtp',
    'Mail server (SMTP)',
    'nodemailer smtplib aiosmtplib flask_mail django.core.mail javax.mail jakarta.mail org.springframework.mail net/smtp MailKit System.Net.Mail action_mailer PHPMailer\\PHPMailer',
    {
      images: ['mailhog/mailhog', 'axllent/mailpit', 'maildev/maildev', 'sj26/mailcatcher', 'boky/postfix'],
      schemes: ['smtp', 'smtps'],
    },
  ),
  service('openai', 'OpenAI', 'openai @ai-sdk/openai com.theokanning.openai OpenAI @langchain/openai langchain_openai'),
  service('anthropic', 'Anthropic', '@anthropic-ai/sdk anthropic @ai-sdk/anthropic'),
  service(
    'aws',
    'AWS services',
    'aws-sdk boto3 botocore aioboto3 com.amazonaws.auth software.amazon.awssdk.core github.com/aws/aws-sdk-go',
  ),
  service('slack', 'Slack', '@slack/web-api @slack/bolt slack_sdk com.slack.api github.com/slack-go/slack'),
  service('github', 'GitHub', '@octokit/rest @octokit/core octokit github com.github.api github.com/google/go-github'),
  service(
    'npm-registry',
    'npm registry',
    'update-notifier simple-update-notifier npm-registry-fetch package-json latest-version pacote',
  ),
  service('sentry', 'Sentry', '@sentry/node sentry_sdk io.sentry github.com/getsentry/sentry-go'),
  service('auth0', 'Auth0', 'auth0 express-oauth2-jwt-bearer express-openid-connect @auth0/nextjs-auth0'),
  service(
    'oidc',
    'Identity provider (OAuth or OIDC)',
    'openid-client passport-google-oauth20 passport-github2 passport-oauth2 authlib next-auth org.springframework.security.oauth2 golang.org/x/oauth2 Microsoft.AspNetCore.Authentication.OpenIdConnect keycloak-connect omniauth',
    {
      images: ['quay.io/keycloak/keycloak', 'jboss/keycloak', 'keycloak/keycloak', 'ory/hydra', 'dexidp/dex'],
    },
  ),
  service('vault', 'HashiCorp Vault', 'node-vault hvac com.bettercloud.vault github.com/hashicorp/vault', {
    images: ['vault', 'hashicorp/vault'],
  }),
]
