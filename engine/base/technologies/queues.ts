import { queue, type Reached } from './technology.ts'

/** Message queues and brokers. */
export const QUEUES: readonly Reached[] = [
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
    'amqplib amqp-connection-manager rascal amqp rhea pika aio_pika kombu com.rabbitmq org.springframework.amqp github.com/rabbitmq/amqp091-go github.com/streadway/amqp RabbitMQ.Client bunny',
    {
      images: ['rabbitmq', 'bitnami/rabbitmq'],
      schemes: ['amqp', 'amqps'],
    },
  ),
  queue('nats', 'NATS', 'nats @nats-io/transport-node node-nats-streaming github.com/nats-io/nats.go', {
    images: ['nats'],
    schemes: ['nats'],
  }),
  queue('mqtt', 'MQTT broker', 'mqtt async-mqtt mqtt-packet paho paho.mqtt.client org.eclipse.paho', {
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
  queue('bullmq', 'Job queue (Redis)', 'bullmq bull bee-queue kue sidekiq rq'),
  queue('service-bus', 'Azure Service Bus', '@azure/service-bus azure.servicebus Azure.Messaging.ServiceBus'),
  queue('jms', 'JMS broker', 'javax.jms jakarta.jms org.apache.activemq', {
    images: ['apache/activemq-artemis', 'rmohr/activemq'],
  }),
  queue('celery', 'Celery task queue', ''),
  queue('kinesis', 'Amazon Kinesis', '@aws-sdk/client-kinesis aws-kinesis-agent'),
  queue('eventbridge', 'Amazon EventBridge', '@aws-sdk/client-eventbridge'),
  queue('event-hubs', 'Azure Event Hubs', '@azure/event-hubs azure.eventhub'),
  queue('zeromq', 'ZeroMQ peers', 'zeromq zmq'),
  queue('stomp', 'STOMP broker', '@stomp/stompjs stompit stomp'),
]
