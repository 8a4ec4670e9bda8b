import { createLogger } from '@gondola/service-kit/logging/logger';

import { createKafka } from '@gondola/kafka/client/kafka-client';
import { KafkaSender } from '@gondola/kafka/produce/kafka-sender';
import { OutboxRelay } from '../outbox/outbox-relay.ts';
import { OutboxSource } from '../outbox/outbox-source.ts';
import { AdvisoryRelayLock } from '../outbox/relay-lock.ts';
import { MeasuredSender } from '@gondola/kafka/testing/measured-sender';
import { connectTestDatabase } from './test-database.ts';
import { TEST_SEND_TIMEOUT_MS } from '@gondola/kafka/testing/test-kafka';

export interface RelayProcessOptions {
  readonly brokers: readonly string[];
  readonly prefix: string;
  readonly url: string;
  readonly schema: string;
  /** Writes a line `MEMORY {"sent":…,"heldBytes":…,"rssBytes":…}` whenever this many more records were sent. */
  readonly measureEvery?: number;
}

/** A relay in a separate process. */
await run(JSON.parse(process.argv[2] ?? '') as RelayProcessOptions);

async function run({ brokers, prefix, url, schema, measureEvery = Infinity }: RelayProcessOptions): Promise<void> {
  const logger = createLogger({ app: 'relay', level: 'info' });
  const database = await connectTestDatabase(url, schema);
  const source = new OutboxSource();
  const kafka = createKafka({ brokers, ssl: false }, 'relay', logger);
  const lock = new AdvisoryRelayLock(database, source.name);
  const sender = new MeasuredSender(new KafkaSender(kafka, prefix, TEST_SEND_TIMEOUT_MS), measureEvery);
  await new OutboxRelay({ source, lock, sender, logger, pollMs: 10 }).start();
}
