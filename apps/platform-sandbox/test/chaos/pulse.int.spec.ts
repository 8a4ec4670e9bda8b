import { createTestSchema, type TestSchema } from '@gondola/local-stack/test-stack';
import { ANSWER_LIMIT_MS, waitFor } from '@gondola/local-stack/wait-for';
import { Database } from '@gondola/service-kit/database/database';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sandboxMigrations } from '../../src/database.schema.ts';
import { Pulse, STANDSTILL_MS } from './pulse.ts';

describe('the pulse of a run', () => {
  let schema: TestSchema;
  let database: Database;
  let pulse: Pulse;
  let calls = 0;
  let looks = 0;
  let clock = 0;

  beforeEach(async () => {
    calls = 0;
    clock = 0;
    schema = await createTestSchema('sandbox-pulse');
    const options = { url: schema.url, schema: schema.schema, migrations: sandboxMigrations };
    database = new Database({ ...options, queryTimeoutMs: ANSWER_LIMIT_MS });
    await database.connect();
    pulse = await Pulse.open(
      schema,
      () => {
        looks += 1;
        return `${calls} calls`;
      },
      () => clock,
    );
  });
  afterEach(async () => {
    await pulse.close();
    await database.close();
    await schema.drop();
  });

  async function accept(): Promise<string> {
    const { rows } = await database.query<{ seq: string }>(
      `INSERT INTO operations (operation_id, contract_account_id, kind, payload, directive) VALUES ('o', 'a', 'k', '{}', '{}') RETURNING seq`,
    );
    return rows[0]?.seq ?? '';
  }

  async function take(seq: string): Promise<void> {
    await database.query(`UPDATE operations SET state = 'applied' WHERE seq = $1`, [seq]);
  }

  /** Waits until the pulse has read twice more, and has acted on the first of these readings. */
  async function untilLooked(): Promise<string> {
    const before = looks;
    await waitFor(() => looks >= before + 2, { describe: 'two readings of the pulse' });
    return 'still waiting';
  }

  it('waits until the core takes the operations accepted before, and not later ones', async () => {
    const mine = await accept();
    const waited = pulse.taken();
    await expect(Promise.race([waited, untilLooked()])).resolves.toBe('still waiting');
    const later = await accept();
    await take(mine);
    await waited;
    await take(later);
    await pulse.quiet();
  });

  it('gives up and reports the whole state if nothing progresses, and not while something does', async () => {
    const mine = await accept();
    const waited = pulse.taken().then(
      () => 'taken',
      (error: Error) => error.message,
    );
    for (let n = 0; n < 5; n += 1) {
      calls += 1;
      clock += STANDSTILL_MS * 2;
      await expect(Promise.race([waited, untilLooked()])).resolves.toBe('still waiting');
    }
    const standingStill = setInterval(() => (clock += STANDSTILL_MS * 2), 10);
    const end = await waited;
    clearInterval(standingStill);
    const stands = `newest operation ${mine}, oldest waiting ${mine}, 0 notifications pending, attempt 0; ${calls} calls`;
    expect(end).toBe(`Nothing has moved for ${STANDSTILL_MS} ms: ${stands}`);
  });
});
