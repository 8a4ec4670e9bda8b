import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';
import { sized } from '@gondola/local-stack/testing/sized';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { callApi } from '@gondola/local-stack/testing/as-operator';
import { deliver, envelope } from '../../test/support/deliver.ts';
import { firstRecords } from '../../test/support/first-records.ts';
import { BAIRRO, BAIRRO_TOKEN, IngestBench, USERS, PATIENT_INBOX } from '../../test/support/ingest-bench.ts';

const EMAIL = 'canario.teste+01@example.com';
const PATH = '/api/erasures/users';
const MANY = sized(3_000, 500_000);

const user = (data: object) => envelope({ relatedEntity: 'User', eventType: 'User_Updated', data });

describe('the erasure of a shopper', () => {
  let bench: IngestBench;
  let app: RunningApp;

  beforeAll(async () => {
    bench = await IngestBench.open('erase-user', { ...PATIENT_INBOX, RETENTION_EVERY_MS: '50' });
    app = await bench.start();
  });

  afterAll(async () => {
    await bench.close();
  });

  it('takes the content of their notifications and of the quarantine, however the e-mail is written', async () => {
    await deliver(app, user({ email: EMAIL, firstName: 'Cliente Teste 01' }));
    await deliver(app, user({ email: EMAIL.toUpperCase() }));
    await deliver(app, user({ email: EMAIL }).replace('+', String.raw`\u002B`));
    await deliver(app, user({ email: `x${EMAIL}` }));
    await deliver(app, `{"data": {"email" : "${EMAIL}"}`);
    await bench.everythingSent();
    const body = { tenant: 'acme', email: EMAIL, confirm: true };
    const { body: erasure } = await callApi(app, PATH, { method: 'POST', body });
    expect(erasure).toMatchObject({ tenant: 'acme', notifications: 3, quarantined: 1 });
    expect(JSON.stringify(erasure)).not.toContain('canario');
    const left = await bench.rows<{ body: string }>(
      `SELECT encode(body, 'escape') AS body FROM notifications WHERE body IS NOT NULL
       UNION ALL SELECT encode(body, 'escape') FROM quarantine WHERE body IS NOT NULL`,
    );
    expect(left).toEqual([{ body: expect.stringContaining(`"x${EMAIL}"`) }]);
    const records = await bench.rows('SELECT user_erasures::text AS text FROM user_erasures');
    expect(records).toEqual([{ text: expect.not.stringContaining('canario') }]);
  });

  it('erases later content of them and does not publish it; others are stored as before', async () => {
    const late = 'canario.teste+02@example.com';
    const ask = (tenant: string) =>
      callApi(app, PATH, { method: 'POST', body: { tenant, email: late, confirm: true } });
    const bairro = (data: object) => envelope({ ...JSON.parse(user(data)), contractAccountId: BAIRRO });
    const authorization = { authorization: `Bearer ${BAIRRO_TOKEN}` };
    expect(await ask('bairro')).toMatchObject({ status: 200, body: { knownUntil: expect.any(String) } });
    await deliver(app, bairro({ email: late.toUpperCase(), firstName: 'Cliente Teste 02' }), authorization);
    await deliver(app, bairro({ email: `x${late}`, firstName: 'Cliente Teste 03' }), authorization);
    await deliver(app, `{"data": {"email": "${late}", "name": "Cliente Teste 02"}`, authorization);
    await deliver(app, user({ email: late, firstName: 'Cliente Teste 04' }));
    await bench.everythingSent();
    const names = async (): Promise<string[]> => {
      const rows = await bench.rows<{ body: string }>(
        `SELECT encode(body, 'escape') AS body FROM notifications WHERE body IS NOT NULL
         UNION ALL SELECT encode(body, 'escape') FROM quarantine WHERE body IS NOT NULL`,
      );
      return rows.flatMap(({ body }) => /Cliente Teste 0[234]/.exec(body) ?? []).toSorted();
    };
    expect(await names()).toEqual(['Cliente Teste 03', 'Cliente Teste 04']);
    const users = await bench.read(USERS);
    const published = await users.waitForRecords((records) => records.length > 0);
    expect(firstRecords(published).map(({ value }) => value?.toString())).toEqual([
      expect.stringContaining('Cliente Teste 03'),
    ]);
    const untold = await bench.rows(
      `SELECT topic, erased_bytes > 0 AS had FROM notifications WHERE tenant = 'bairro' AND body IS NULL`,
    );
    expect(untold).toEqual([{ topic: null, had: true }]);
  });

  it('covers content that waits to be published, which is then not published', async () => {
    const email = 'canario.teste+06@example.com';
    const waiting = envelope({
      relatedEntity: 'User',
      eventType: 'User_Updated',
      contractAccountId: BAIRRO,
      data: { email },
    });
    // The relay cannot mark it as sent.
    await bench.rows(
      `ALTER TABLE notifications ADD CONSTRAINT held CHECK (dedup_key <> 'waits' OR sent_at IS NULL) NOT VALID`,
    );
    await bench.rows(
      `INSERT INTO notifications (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, body, traceparent,
         received_at)
       VALUES ('waits', 'bairro', 'o', 'User_Updated', 'User', '${USERS}', 'bairro/operation/o',
         convert_to('${waiting}', 'UTF8'), '00-${'1'.repeat(32)}-${'2'.repeat(16)}-01', now())`,
    );
    const { body } = await callApi(app, PATH, { method: 'POST', body: { tenant: 'bairro', email, confirm: true } });
    expect(body).toMatchObject({ notifications: 1 });
    const rows = await bench.rows(`SELECT topic, body, erased_at FROM notifications WHERE dedup_key = 'waits'`);
    expect(rows).toEqual([{ topic: null, body: null, erased_at: expect.any(Date) }]);
    await bench.rows('ALTER TABLE notifications DROP CONSTRAINT held');
  });

  it('is done in pages, however many notifications there are, and holds up no delivery (rule 4)', async () => {
    const email = 'canario.teste+07@example.com';
    const inserted = (key: string, data: object, count: number) =>
      bench.rows(
        `INSERT INTO notifications (dedup_key, tenant, operation_id, event_type, related_entity, partition_key, body, traceparent,
           received_at)
         SELECT '${key}' || n, 'acme', 'o', 'User_Updated', 'User', 'acme/operation/o', convert_to('${user(data)}', 'UTF8'),
           '00-${'1'.repeat(32)}-${'2'.repeat(16)}-01', now() FROM generate_series(1, ${count}) AS n`,
      );
    await inserted('first', { email }, 1);
    await inserted('other', { email: 'other@example.com' }, MANY);
    await inserted('last', { email }, 1);
    const held = await bench.database.connection();
    await held.query(`BEGIN; SELECT 1 FROM notifications WHERE dedup_key = 'first1' FOR UPDATE`);
    const erasing = callApi(app, PATH, { method: 'POST', body: { tenant: 'acme', email, confirm: true } });
    const isWaiting = async () =>
      (await bench.rows(`SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`)).length > 0;
    await waitFor(isWaiting, { describe: 'the erasure to wait for the row' });
    await deliver(app, user({ email, firstName: 'Cliente Teste 07' }));
    await deliver(app, user({ email: 'other@example.com', firstName: 'Cliente Teste 08' }));
    await held.query('COMMIT');
    held.release();
    expect(await erasing).toMatchObject({ status: 200, body: { notifications: 2 } });
    const left = await bench.rows<{ count: number }>(
      `SELECT count(*)::int AS count FROM notifications WHERE encode(body, 'escape') LIKE '%+07@%'`,
    );
    expect(left).toEqual([{ count: 0 }]);
  });

  it('forgets by what it recognises them once its days are over', async () => {
    const email = 'canario.teste+05@example.com';
    await callApi(app, PATH, { method: 'POST', body: { tenant: 'acme', email, confirm: true } });
    const known = (): Promise<object[]> => bench.rows('SELECT 1 FROM user_erasures WHERE email_hash IS NOT NULL');
    expect((await known()).length).toBeGreaterThan(0);
    await bench.rows(`UPDATE user_erasures SET known_until = now() - interval '1 second'`);
    await deliver(app, user({ email, firstName: 'Cliente Teste 05' }));
    const stored = await bench.rows(
      `SELECT 1 FROM notifications WHERE encode(body, 'escape') LIKE '%Cliente Teste 05%'`,
    );
    expect(stored).toHaveLength(1);
    await waitFor(async () => (await known()).length === 0, { describe: 'the hashes to be forgotten' });
  });

  it.each([
    [{ tenant: 'acme', email: EMAIL }, 'confirm: true'],
    [{ tenant: 'acme', email: 'cliente', confirm: true }, 'email is'],
    [{ tenant: 'nobody', email: EMAIL, confirm: true }, 'tenant must be one of'],
  ])('is not done for %j', async (body, message) => {
    const refused = { status: 400, body: { error: { message: expect.stringContaining(message) } } };
    expect(await callApi(app, PATH, { method: 'POST', body })).toMatchObject(refused);
  });
});
