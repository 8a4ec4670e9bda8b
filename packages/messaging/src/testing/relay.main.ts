import { Database } from '@gondola/service-kit/database';
import { createLogger } from '@gondola/service-kit/logger';

import { createKafka } from '../kafka-client.ts';
import { KafkaSender } from '../kafka-sender.ts';
import { messagingMigrations } from '../messaging-migrations.ts';
import { OutboxRelay } from '../outbox-relay.ts';
import { OutboxSource } from '../outbox-source.ts';
import { AdvisoryRelayLock } from '../relay-lock.ts';

export interface RelayProcessOptions {
  readonly brokers: readonly string[];
  readonly prefix: string;
  readonly url: string;
  readonly schema: string;
}

/** A relay in a process of its own. */
await run(JSON.parse(process.argv[2] ?? '') as RelayProcessOptions);

async function run({ brokers, prefix, url, schema }: RelayProcessOptions): Promise<void> {
  const logger = createLogger({ app: 'relay', level: 'info' });
  const database = new Database({ url, schema, migrations: messagingMigrations });
  await database.connect();
  const source = new OutboxSource();
  const kafka = createKafka({ brokers, ssl: false }, 'relay', logger);
  const lock = new AdvisoryRelayLock(database, source.name);
  await new OutboxRelay({ source, lock, sender: new KafkaSender(kafka, prefix), logger, pollMs: 10 }).start();
}
