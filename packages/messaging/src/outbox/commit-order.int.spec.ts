import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { nothingIsCommittedBeforeItsTransaction } from '../testing/commit-order-invariant.ts';
import { createFacts } from '../testing/test-consumer.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openTestKafka, type TestKafka } from '../testing/test-kafka.ts';

/**
 * Guarantee 1 towards Kafka: an offset that is ahead of its transaction is a lost record as soon as the process dies.
 */
describe('nothing is committed before its transaction', () => {
  let kafka: TestKafka;
  let test: TestDatabase;

  beforeAll(async () => {
    test = await openTestDatabase('commit-order');
    await createFacts(test.database);
  });

  beforeEach(async () => {
    kafka = await openTestKafka('commit-order', ['erp.orders.commands.v1']);
    await test.database.query('TRUNCATE facts');
  });

  afterEach(async () => {
    await kafka.close();
  });

  afterAll(async () => {
    await test.close();
  });

  it('holds for a handler that resolves when its transaction is committed', async () => {
    const system = { kafka, database: test.database, handle: storeThenResolve };
    await expect(nothingIsCommittedBeforeItsTransaction(system)).resolves.toBeUndefined();
  });

  it('is broken, and found to be, by a handler that resolves earlier', async () => {
    const system = { kafka, database: test.database, handle: resolveThenStore };
    await expect(nothingIsCommittedBeforeItsTransaction(system)).rejects.toThrow(
      /committed although the transaction is open/,
    );
  });
});

type Handle = Parameters<typeof nothingIsCommittedBeforeItsTransaction>[0]['handle'];

const storeThenResolve: Handle = (batch, store) => store(batch);

const resolveThenStore: Handle = async (batch, store) => {
  store(batch).catch(() => {});
};
