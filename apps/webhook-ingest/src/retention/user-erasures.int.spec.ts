import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { callApi } from '../../test/support/call-api.ts';
import { deliver, envelope } from '../../test/support/deliver.ts';
import { IngestBench } from '../../test/support/ingest-bench.ts';
import { PATIENT_INBOX } from '../../test/support/patient-inbox.ts';

const EMAIL = 'canario.teste+01@example.com';
const PATH = '/api/erasures/users';

const user = (data: object) => envelope({ relatedEntity: 'User', eventType: 'User_Updated', data });

describe('the erasure of a shopper', () => {
  let bench: IngestBench;
  let app: RunningApp;

  beforeAll(async () => {
    bench = await IngestBench.open('erase-user', PATIENT_INBOX);
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
    expect(erasure).toMatchObject({ tenant: 'acme', notifications: 3, quarantined: 1, waiting: 0 });
    expect(JSON.stringify(erasure)).not.toContain('canario');
    const left = await bench.rows<{ body: string }>(
      `SELECT encode(body, 'escape') AS body FROM notifications WHERE body IS NOT NULL
       UNION ALL SELECT encode(body, 'escape') FROM quarantine WHERE body IS NOT NULL`,
    );
    expect(left).toEqual([{ body: expect.stringContaining(`"x${EMAIL}"`) }]);
    const records = await bench.rows('SELECT user_erasures::text AS text FROM user_erasures');
    expect(records).toEqual([{ text: expect.not.stringContaining('canario') }]);
  });

  it.each([
    [{ tenant: 'acme', email: EMAIL }, 'confirm: true'],
    [{ tenant: 'acme', email: 'cliente', confirm: true }, 'email is'],
    [{ tenant: 'nobody', email: EMAIL, confirm: true }, 'tenant is one of'],
  ])('is not done for %j', async (body, message) => {
    const refused = { status: 400, body: { error: { message: expect.stringContaining(message) } } };
    expect(await callApi(app, PATH, { method: 'POST', body })).toMatchObject(refused);
  });
});
