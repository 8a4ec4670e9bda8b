import { strict as assert } from 'node:assert';

import { waitFor } from '@gondola/local-stack/wait-for';
import type { Database } from '@gondola/service-kit/database/database';

import { testConsumer, type TestConsumerOptions, valuesOf } from './test-consumer.ts';
import type { TestKafka } from '@gondola/kafka/testing/test-kafka';

/** A consumer with its table `facts`; `handle` is under test. */
export interface CommittingSystem {
  readonly kafka: TestKafka;
  readonly database: Database;
  readonly handle: NonNullable<TestConsumerOptions['handle']>;
}

const TOPIC = 'erp.orders.commands.v1';
/** After this many further heartbeats, everything that is committed at the end of a handler is committed. */
const HEARTBEATS = 5;

/**
 * While a record's transaction is open its offset is not committed, and if the process dies then, the next member
 * consumes the record again. A lock on the table holds the transaction open; ending its connection aborts it.
 */
export async function nothingIsCommittedBeforeItsTransaction(system: CommittingSystem): Promise<void> {
  const { kafka, database } = system;
  const first = testConsumer({ ...system });
  const second = testConsumer({ kafka, database, group: first.group });
  const holder = await database.connection();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE facts IN EXCLUSIVE MODE');
    await first.start();
    await kafka.produce(TOPIC, [{ key: 'k', value: 'the record', partition: 0 }]);
    const waiting = await waitFor(() => whoWaits(database), { describe: 'the transaction to wait for the lock' });
    const heartbeats = first.heartbeats();
    await waitFor(() => first.heartbeats() >= heartbeats + HEARTBEATS, { describe: 'some heartbeats' });
    const committed = (await kafka.committed(first.group, TOPIC))[0] ?? -1;
    assert(committed <= 0, `Offset ${committed} is committed although the transaction is open`);

    await database.query('SELECT pg_terminate_backend($1)', [waiting]);
    await first.stop();
    await holder.query('ROLLBACK');
    await second.start();
    await kafka.produce(TOPIC, [{ key: 'k', value: 'a later one', partition: 0 }]);
    await waitFor(async () => (await valuesOf(database)).includes('a later one'), { describe: 'the later record' });
    assert.deepEqual(
      await valuesOf(database),
      ['the record', 'a later one'],
      'The record was lost with its transaction',
    );
  } finally {
    holder.release(true);
    await Promise.all([first.stop(), second.stop()]);
  }
}

/** Server process that waits for a lock on `facts`. */
async function whoWaits(database: Database): Promise<number | undefined> {
  const { rows } = await database.query<{ pid: number }>(
    "SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'facts'::regclass",
  );
  return rows[0]?.pid;
}
