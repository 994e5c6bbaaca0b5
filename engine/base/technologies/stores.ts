import { type Reached, store } from './technology.ts'

/** Data stores; names of packages are those of their registries. */
export const STORES: readonly Reached[] = [
  store(
    'postgresql',
    'PostgreSQL',
    'pg pg-promise pg-pool pg-native postgres postgres.js slonik massive connect-pg-simple @vercel/postgres @neondatabase/serverless pgtyped psycopg2 psycopg asyncpg org.postgresql github.com/lib/pq github.com/jackc/pgx Npgsql tokio_postgres gorm.io/driver/postgres pg8000',
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
    'mysql mysql2 promise-mysql express-mysql-session @planetscale/database pymysql MySQLdb mysql.connector com.mysql github.com/go-sql-driver/mysql MySqlConnector MySql.Data.MySqlClient gorm.io/driver/mysql aiomysql mysqlclient mariadb',
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
    'sqlite3 sqlite better-sqlite3 @journeyapps/sqlcipher sql.js sqlite-async connect-sqlite3 better-sqlite3-session-store @mapbox/mbtiles bun:sqlite node:sqlite aiosqlite github.com/mattn/go-sqlite3 modernc.org/sqlite org.sqlite Microsoft.Data.Sqlite rusqlite gorm.io/driver/sqlite',
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
    'mongodb mongoose connect-mongo mongojs npm:monk mongoist connect-mongodb-session pymongo motor mongoengine com.mongodb org.springframework.data.mongodb go.mongodb.org/mongo-driver MongoDB.Driver mongoid mongo flask_pymongo beanie',
    {
      images: ['mongo', 'bitnami/mongodb', 'mongodb/mongodb-community-server'],
      schemes: ['mongodb', 'mongodb+srv'],
    },
  ),
  store(
    'redis',
    'Redis',
    'redis ioredis connect-redis rate-limit-redis @socket.io/redis-adapter socket.io-redis @upstash/redis redlock @keyv/redis @redis/client aioredis redis.clients.jedis io.lettuce org.springframework.data.redis github.com/redis/go-redis github.com/go-redis/redis StackExchange.Redis flask_redis predis Predis',
    {
      images: ['redis', 'valkey/valkey', 'bitnami/redis', 'redis/redis-stack', 'keydb', 'redis/redis-stack-server'],
      schemes: ['redis', 'rediss'],
    },
  ),
  store(
    'memcached',
    'Memcached',
    'memcached memjs memcache-plus pymemcache pylibmc github.com/bradfitz/gomemcache dalli net.spy.memcached',
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
    '@aws-sdk/client-s3 @aws-sdk/lib-storage aws-sdk/clients/s3 knox s3-proxy @aws-sdk/s3-request-presigner multer-s3 software.amazon.awssdk.services.s3 com.amazonaws.services.s3 github.com/aws/aws-sdk-go-v2/service/s3 Amazon.S3 minio s3fs',
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
  store('leveldb', 'LevelDB', 'npm:level levelup leveldown classic-level level-rocksdb rocksdb plyvel', {
    embedded: true,
  }),
  store('nedb', 'NeDB', 'nedb nedb-promises @seald-io/nedb', { embedded: true }),
  store('lowdb', 'lowdb', 'lowdb', { embedded: true }),
  store('etcd', 'etcd', 'etcd3 go.etcd.io/etcd', { images: ['etcd', 'quay.io/coreos/etcd', 'bitnami/etcd'] }),
  store(
    'ldap',
    'LDAP directory',
    'ldapjs ldapts activedirectory activedirectory2 ldapauth-fork passport-ldapauth ldap ldap3 javax.naming.directory org.springframework.ldap github.com/go-ldap/ldap System.DirectoryServices net/ldap net-ldap',
    {
      images: ['osixia/openldap', 'bitnami/openldap'],
      schemes: ['ldap', 'ldaps'],
    },
  ),
  store('lmdb', 'LMDB', 'lmdb node-lmdb', { embedded: true }),
  store('duckdb', 'DuckDB', 'duckdb duckdb-async @duckdb/node-api', { embedded: true }),
  store('libsql', 'libSQL (Turso)', '@libsql/client libsql'),
  store('couchdb', 'CouchDB', 'npm:nano pouchdb couchdb cradle com.cloudant pouchdb-node', {
    images: ['couchdb', 'bitnami/couchdb'],
  }),
  store('couchbase', 'Couchbase', 'couchbase com.couchbase.client', { images: ['couchbase'] }),
  store('rethinkdb', 'RethinkDB', 'rethinkdb rethinkdbdash', { images: ['rethinkdb'] }),
  store('arangodb', 'ArangoDB', 'arangojs', { images: ['arangodb'] }),
  store('surrealdb', 'SurrealDB', 'surrealdb.js surrealdb', { images: ['surrealdb/surrealdb'] }),
  store('solr', 'Apache Solr', 'solr-client solr-node pysolr org.apache.solr', { images: ['solr'] }),
  store('meilisearch', 'Meilisearch', 'meilisearch', { images: ['getmeili/meilisearch'] }),
  store('typesense', 'Typesense', 'typesense', { images: ['typesense/typesense'] }),
  store('algolia', 'Algolia', 'algoliasearch'),
  store('qdrant', 'Qdrant', '@qdrant/js-client-rest qdrant_client', { images: ['qdrant/qdrant'] }),
  store('weaviate', 'Weaviate', 'weaviate-ts-client weaviate-client weaviate', {
    images: ['semitechnologies/weaviate', 'cr.weaviate.io/semitechnologies/weaviate'],
  }),
  store('pinecone', 'Pinecone', '@pinecone-database/pinecone pinecone'),
  store('chroma', 'Chroma', 'chromadb', { images: ['chromadb/chroma', 'ghcr.io/chroma-core/chroma'] }),
  store('snowflake', 'Snowflake', 'snowflake-sdk snowflake.connector'),
  store('bigquery', 'Google BigQuery', '@google-cloud/bigquery google.cloud.bigquery'),
  store('cosmosdb', 'Azure Cosmos DB', '@azure/cosmos azure.cosmos Microsoft.Azure.Cosmos'),
  store('supabase', 'Supabase', '@supabase/supabase-js supabase'),
  store(
    'local-storage',
    'Key-value files of the program',
    'node-persist npm:conf configstore electron-store node-localstorage keyv-file flat-cache data-store stormdb simple-json-db lokijs diskdb session-file-store',
    {
      embedded: true,
    },
  ),
  store(
    'git-repositories',
    'Git repositories',
    'simple-git nodegit isomorphic-git dulwich pygit2 org.eclipse.jgit github.com/go-git/go-git',
    { embedded: true },
  ),
  store('files-of-cloud', 'Network file system', ''),
  store(
    'secret-store',
    'Secret store of the cloud',
    '@aws-sdk/client-secrets-manager @google-cloud/secret-manager google.cloud.secretmanager @azure/keyvault-secrets azure.keyvault.secrets',
  ),
  store(
    'sql',
    'SQL database',
    'knex bookshelf waterline sails-disk @databases/pg kysely objection @mikro-orm/core django.db peewee tortoise sqlmodel javax.persistence jakarta.persistence org.springframework.jdbc org.springframework.data.jpa java.sql javax.sql database/sql github.com/jmoiron/sqlx System.Data.Entity Dapper active_record activerecord sequel Illuminate\\Support\\Facades\\DB Illuminate\\Database Doctrine\\DBAL org.jetbrains.exposed org.jooq sqlx sea_orm org.apache.ibatis',
    {
      generic: true,
    },
  ),
]
