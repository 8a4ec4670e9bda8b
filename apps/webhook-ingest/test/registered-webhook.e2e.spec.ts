import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestSandbox } from '@gondola/local-stack/testing/test-sandbox';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { callApi } from '@gondola/local-stack/testing/as-operator';
import { envelope } from './support/deliver.ts';
import { ACME, IngestBench, PATIENT_INBOX } from './support/ingest-bench.ts';

const PATH = '/api/webhook-registration';

let folder: string;
let sandbox: TestSandbox;
let bench: IngestBench;
let app: RunningApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gondola-registered-'));
  sandbox = await TestSandbox.start('registered', { WEBHOOK_TIMEOUT_MS: '600000' });
  const password = 'password-of-the-erp';
  await sandbox.open({ contractAccountId: ACME, username: 'erp-one', password });
  const file = join(folder, 'tenants.json');
  const platform = { baseUrl: sandbox.url, username: 'erp-one', password: { env: 'PLATFORM_PASSWORD' } };
  const webhook = { tokens: [{ env: 'TOKEN' }] };
  await writeFile(file, JSON.stringify({ tenants: [{ id: 'acme', contractAccountId: ACME, platform, webhook }] }));
  bench = await IngestBench.open('registered', {
    ...PATIENT_INBOX,
    TENANTS_FILE: file,
    PLATFORM_PASSWORD: password,
    TOKEN: createHash('sha256').update('of a test').digest('hex'),
  });
  app = await bench.start();
});

afterAll(async () => {
  await bench?.close();
  await sandbox?.close();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

const deliver = () =>
  sandbox.admin('POST', '/send-raw', {
    contractAccountId: ACME,
    bodyBase64: Buffer.from(envelope()).toString('base64'),
  });

describe('with the platform sandbox', () => {
  it('a registration whose answer is lost is found to be ours, and its deliveries are let in (rules 3, 37)', async () => {
    const body = { tenant: 'acme', url: `${app.url}/webhooks/platform/acme`, confirm: true };
    await sandbox.fault({ route: 'POST /v1/Webhooks', kind: 'error-after' });
    const first = await callApi(app, PATH, { method: 'POST', body });
    expect(first).toMatchObject({ status: 502, body: { error: { code: 'PLATFORM_SILENT' } } });
    const second = await callApi(app, PATH, { method: 'POST', body });
    expect(second).toMatchObject({ status: 409, body: { error: { code: 'WEBHOOK_EXISTS_PROBABLY_OURS' } } });
    const state = { outcome: 'exists-probably-ours', url: body.url, lastNotificationAt: null };
    expect(await callApi(app, PATH)).toMatchObject({ body: { registrations: [state] } });

    expect(await deliver()).toMatchObject({ answer: 200 });
    const delivered = { ...state, lastNotificationAt: expect.any(String) };
    expect(await callApi(app, PATH)).toMatchObject({ body: { registrations: [delivered] } });
  });
});
