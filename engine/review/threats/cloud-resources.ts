/** What a resource of a cloud is: `process` for a program, `proxy` for what takes requests for others, otherwise the id of a technology. */
export type CloudRole = string

const rows = (role: CloudRole, types: string): [string, CloudRole][] => types.split(' ').map(type => [type, role])

/** Resource types of Terraform. */
export const TERRAFORM_RESOURCES: ReadonlyMap<string, CloudRole> = new Map([
  ...rows('sql', 'aws_db_instance aws_rds_cluster google_sql_database_instance aws_redshift_cluster'),
  ...rows('postgresql', 'azurerm_postgresql_server azurerm_postgresql_flexible_server google_alloydb_cluster'),
  ...rows('mysql', 'azurerm_mysql_server azurerm_mysql_flexible_server azurerm_mariadb_server'),
  ...rows('mssql', 'azurerm_mssql_server azurerm_sql_server azurerm_mssql_managed_instance'),
  ...rows('dynamodb', 'aws_dynamodb_table'),
  ...rows('s3', 'aws_s3_bucket'),
  ...rows(
    'redis',
    'aws_elasticache_cluster aws_elasticache_replication_group aws_memorydb_cluster google_redis_instance azurerm_redis_cache',
  ),
  ...rows('sqs', 'aws_sqs_queue'),
  ...rows('sns', 'aws_sns_topic'),
  ...rows('kinesis', 'aws_kinesis_stream aws_kinesis_firehose_delivery_stream'),
  ...rows('eventbridge', 'aws_cloudwatch_event_bus'),
  ...rows('kafka', 'aws_msk_cluster aws_msk_serverless_cluster confluent_kafka_cluster'),
  ...rows('elasticsearch', 'aws_opensearch_domain aws_elasticsearch_domain ec_deployment'),
  ...rows('rabbitmq', 'aws_mq_broker'),
  ...rows('mongodb', 'aws_docdb_cluster mongodbatlas_cluster mongodbatlas_advanced_cluster'),
  ...rows('cosmosdb', 'azurerm_cosmosdb_account'),
  ...rows('neo4j', 'aws_neptune_cluster'),
  ...rows('gcs', 'google_storage_bucket'),
  ...rows('pubsub', 'google_pubsub_topic'),
  ...rows('firestore', 'google_firestore_database'),
  ...rows('bigquery', 'google_bigquery_dataset'),
  ...rows('azure-blob', 'azurerm_storage_account'),
  ...rows('service-bus', 'azurerm_servicebus_namespace'),
  ...rows('event-hubs', 'azurerm_eventhub_namespace'),
  ...rows('files-of-cloud', 'aws_efs_file_system google_filestore_instance azurerm_storage_share'),
  ...rows('oidc', 'aws_cognito_user_pool auth0_client okta_app_oauth google_identity_platform_config'),
  ...rows('secret-store', 'aws_secretsmanager_secret google_secret_manager_secret azurerm_key_vault'),
  ...rows('smtp', 'aws_ses_domain_identity aws_ses_email_identity aws_sesv2_email_identity'),
  ...rows('process', 'aws_lambda_function aws_ecs_service aws_instance aws_apprunner_service aws_batch_job_definition'),
  ...rows('process', 'google_cloud_run_service google_cloud_run_v2_service google_cloudfunctions_function'),
  ...rows('process', 'google_cloudfunctions2_function google_compute_instance google_app_engine_standard_app_version'),
  ...rows('process', 'azurerm_linux_function_app azurerm_linux_web_app azurerm_windows_web_app azurerm_container_app'),
  ...rows('process', 'azurerm_linux_virtual_machine azurerm_container_group digitalocean_app digitalocean_droplet'),
  ...rows(
    'process',
    'docker_container kubernetes_deployment kubernetes_deployment_v1 heroku_app fly_app hcloud_server',
  ),
  ...rows('proxy', 'aws_lb aws_alb aws_elb aws_api_gateway_rest_api aws_apigatewayv2_api aws_cloudfront_distribution'),
  ...rows(
    'proxy',
    'azurerm_application_gateway azurerm_api_management azurerm_frontdoor azurerm_cdn_frontdoor_profile',
  ),
  ...rows('proxy', 'google_compute_global_forwarding_rule google_api_gateway_gateway digitalocean_loadbalancer'),
])

/** Resource types of CloudFormation, of templates and of serverless.yml. */
export const CLOUDFORMATION_RESOURCES: ReadonlyMap<string, CloudRole> = new Map([
  ...rows('sql', 'AWS::RDS::DBInstance AWS::RDS::DBCluster AWS::Redshift::Cluster'),
  ...rows('dynamodb', 'AWS::DynamoDB::Table AWS::DynamoDB::GlobalTable AWS::Serverless::SimpleTable'),
  ...rows('s3', 'AWS::S3::Bucket'),
  ...rows('redis', 'AWS::ElastiCache::CacheCluster AWS::ElastiCache::ReplicationGroup AWS::MemoryDB::Cluster'),
  ...rows('sqs', 'AWS::SQS::Queue'),
  ...rows('sns', 'AWS::SNS::Topic'),
  ...rows('kinesis', 'AWS::Kinesis::Stream AWS::KinesisFirehose::DeliveryStream'),
  ...rows('eventbridge', 'AWS::Events::EventBus'),
  ...rows('kafka', 'AWS::MSK::Cluster AWS::MSK::ServerlessCluster'),
  ...rows('elasticsearch', 'AWS::OpenSearchService::Domain AWS::Elasticsearch::Domain'),
  ...rows('rabbitmq', 'AWS::AmazonMQ::Broker'),
  ...rows('mongodb', 'AWS::DocDB::DBCluster'),
  ...rows('files-of-cloud', 'AWS::EFS::FileSystem'),
  ...rows('oidc', 'AWS::Cognito::UserPool'),
  ...rows('secret-store', 'AWS::SecretsManager::Secret'),
  ...rows('process', 'AWS::Lambda::Function AWS::ECS::Service AWS::EC2::Instance AWS::AppRunner::Service'),
  ...rows('process', 'AWS::Serverless::Function'),
  ...rows('proxy', 'AWS::ElasticLoadBalancingV2::LoadBalancer AWS::ApiGateway::RestApi AWS::ApiGatewayV2::Api'),
  ...rows('proxy', 'AWS::CloudFront::Distribution AWS::Serverless::Api AWS::Serverless::HttpApi'),
])
