import type { Kafka as KafkaClient, KafkaConfig as ClientConfig, LogEntry, SASLOptions } from 'kafkajs';

import type { KafkaConfig } from '@gondola/service-kit/config/config-shapes';
import type { Logger } from '@gondola/service-kit/logging/logger';

import { Kafka, logLevel } from './kafkajs-native.ts';

export type KafkaConnection = Pick<KafkaConfig, 'brokers' | 'ssl' | 'sasl'>;

/** kafkajs' own default of one second is too short for a TLS broker under load. */
const CONNECTION_TIMEOUT_MS = 5_000;
/** Set explicitly because kafkajs has other defaults under NODE_ENV=test. */
const RETRY = { initialRetryTime: 300, maxRetryTime: 30_000, factor: 0.2, multiplier: 2, retries: 5 };

/**
 * A kafkajs client. Each purpose (consumer, relay, admin) has its own, because kafkajs shares committed offsets
 * between the consumers of one client.
 */
export function createKafka(settings: KafkaConnection, clientId: string, logger: Logger): KafkaClient {
  return new Kafka({
    clientId,
    ...connectionOf(settings),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    retry: RETRY,
    logLevel: logLevel.INFO,
    logCreator: () => (entry) => logEntry(logger, entry),
  });
}

/** The connection as kafkajs takes it: a copy in all its depth, because kafkajs writes into the login. */
export function connectionOf({ brokers, ssl, sasl }: KafkaConnection): Pick<ClientConfig, 'brokers' | 'ssl' | 'sasl'> {
  const copy = structuredClone({ brokers: [...brokers], ssl });
  return sasl === undefined ? copy : { ...copy, sasl: structuredClone(sasl) as SASLOptions };
}

/**
 * Writes kafkajs' log entries to Gondola's log: the message and known harmless fields, never the rest (records,
 * errors with requests). kafkajs logs routine events, such as a rebalance, as errors; code that is affected by a
 * failure logs it itself.
 */
function logEntry(logger: Logger, { level, namespace, log }: LogEntry): void {
  const fields = {
    component: `kafkajs ${namespace}`,
    group: log['groupId'],
    memberId: log['memberId'],
    topic: log['topic'],
    partition: log['partition'],
    attempt: log['retryCount'],
    host: log['broker'],
  };
  const cause = typeof log['error'] === 'string' ? `: ${log['error']}` : '';
  const text = `${log.message}${cause}`;
  if (level <= logLevel.WARN) logger.warn(fields, text);
  else logger.debug(fields, text);
}
