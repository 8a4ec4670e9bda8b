import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { nothingIsCommittedBeforeItsTransaction } from '../testing/commit-order-invariant.ts';
import { createFacts } from '../testing/test-consumer.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openTestKafka, type TestKafka } from '@gondola/kafka/testing/test-kafka';

/**
 * Guarantee 1 towards Kafka: if an offset is committed before its transaction, the record is lost when the process
 * dies.
 */
describe('the offset is committed after the transaction:', () => {
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

  it('this holds for a handler that resolves when its transaction is committed', async () => {
    const system = { kafka, database: test.database, handle: storeThenResolve };
    await expect(nothingIsCommittedBeforeItsTransaction(system)).resolves.toBeUndefined();
  });

  it('the test detects a handler that resolves earlier', async () => {
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
