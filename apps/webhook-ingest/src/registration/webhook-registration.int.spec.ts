import { ALL_LIVE } from '@gondola/lanes/outbox/outbox';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answer, drop, ScriptedServer } from '@gondola/platform-client/testing/scripted-server';
import { ConfigError } from '@gondola/service-kit/config/config';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { PlatformCallReport } from '@gondola/service-kit/platform/platform-call-report';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { ALL_EVENT_NAMES } from '@gondola/shared/topics/event-names';
import { Registry } from 'prom-client';
import { RegisterWebhook } from './register-webhook.service.ts';
import { loadConfig } from '../config.ts';
import { RegistrationsRepository } from './registrations.repository.ts';
import { WebhookRegistrar } from './webhook-registrar.adapter.ts';
import { type ApiAnswer, callApi } from '@gondola/local-stack/testing/as-operator';
import { deliver, envelope } from '../../test/support/deliver.ts';
import { IngestBench, PATIENT_INBOX } from '../../test/support/ingest-bench.ts';

const PATH = '/api/webhook-registration';
const HOOK = 'http://127.0.0.1:8081/webhooks/platform';
const CONFIRMED = { url: HOOK, confirm: true };
const SHOPS = 20;

/** One tenant for each test, because its attempts stay stored. */
const shops = Array.from({ length: SHOPS }, (_, index) => ({
  id: `shop${index}`,
  contractAccountId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  // Not a text of this file, so that no search finds it by chance.
  token: createHash('sha256').update(`of a test ${index}`).digest('hex'),
}));
/** The last tenant's platform is on the internet. */
const PUBLIC_SHOP = shops.at(-1)!;
const unused = shops.slice(0, -1).values();

/** A platform with one route, whose behaviour each test sets. It knows no rules and does not replace the sandbox. */
const platform = new ScriptedServer();
let bench: IngestBench;
let app: RunningApp;
let folder: string;
let shop: (typeof shops)[number];

beforeAll(async () => {
  await platform.start();
  folder = await mkdtemp(join(tmpdir(), 'gondola-registration-'));
  const file = join(folder, 'tenants.json');
  const tenants = shops.map(({ id, contractAccountId }) => ({
    id,
    contractAccountId,
    platform: {
      baseUrl: id === PUBLIC_SHOP.id ? 'https://shop.example.com' : platform.url,
      username: 'erp-one',
      password: { env: 'PLATFORM_PASSWORD' },
      profile: { moreEventTypes: ['Brand_Created'] },
    },
    webhook: { tokens: [{ env: `TOKEN_${id}` }] },
  }));
  await writeFile(file, JSON.stringify({ tenants }));
  const tokens = Object.fromEntries(shops.map(({ id, token }) => [`TOKEN_${id}`, token]));
  bench = await IngestBench.open('registration', { ...PATIENT_INBOX, TENANTS_FILE: file, ...tokens });
  app = await bench.start();
});

afterAll(async () => {
  await bench.close();
  await platform.stop();
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  platform.requests.length = 0;
  platform.script(answer(200, '{"id":"wh-1","url":"x"}'));
  shop = unused.next().value!;
});

interface Attempt {
  readonly outcome: string | null;
  readonly url: string;
}

interface State {
  readonly outcome: string;
  readonly url: string | null;
  readonly message: string;
  readonly lastNotificationAt: string | null;
  readonly attempts: readonly Attempt[];
}

const register = async (more: object): Promise<ApiAnswer<Record<string, unknown>>> =>
  callApi(app, PATH, { method: 'POST', body: { tenant: shop.id, ...more } });

async function state(): Promise<State> {
  const { body } = await callApi<{ registrations: State[] }>(app, `${PATH}?tenant=${shop.id}`);
  return body.registrations[0]!;
}

const failure = (status: number, code: string, message: string) => ({
  status,
  body: { error: { code, message: expect.stringContaining(message) } },
});

describe('the registration of the webhook', () => {
  it('is shown first, with what can never be changed, and sent only when it is confirmed (rule 37)', async () => {
    const events = [...ALL_EVENT_NAMES, 'Brand_Created', 'Category_Created'];
    const shown = await register({ url: HOOK, events: ['Category_Created'] });
    expect(shown).toMatchObject({
      status: 200,
      body: {
        tenant: shop.id,
        url: HOOK,
        events,
        outcome: 'dry-run',
        message: expect.stringContaining('Nothing was sent'),
        permanence: expect.stringContaining('for good'),
        problems: [],
        warnings: [{ code: 'URL_LOCAL' }],
        attempts: [],
      },
    });
    expect(platform.requests).toEqual([]);
    expect(await state()).toMatchObject({ outcome: 'none', url: null, attempts: [] });

    const sent = await register({ ...CONFIRMED, events: ['Category_Created'] });
    expect(sent).toMatchObject({ status: 200, body: { outcome: 'registered', url: HOOK, events } });
    const requests = platform.requests.map(({ method, url, headers, body }) => ({
      route: `${method} ${url}`,
      contractAccountId: headers['x-contractaccountid'],
      authorization: headers.authorization,
      body: JSON.parse(body) as unknown,
    }));
    expect(requests).toEqual([
      {
        route: 'POST /v1/Webhooks',
        contractAccountId: shop.contractAccountId,
        authorization: `Basic ${Buffer.from('erp-one:platform-password').toString('base64')}`,
        body: {
          originType: 'Api_call',
          originData: 'gondola',
          url: HOOK,
          authType: 'Bearer',
          authToken: shop.token,
          eventTypes: events,
        },
      },
    ]);
    expect(await state()).toMatchObject({
      outcome: 'registered',
      url: HOOK,
      events,
      lastNotificationAt: null,
      attempts: [
        { outcome: 'registered', platformId: 'wh-1', requestedFrom: '127.0.0.1', finishedAt: expect.any(String) },
      ],
    });
    await deliver(app, envelope({ contractAccountId: shop.contractAccountId }), {
      authorization: `Bearer ${shop.token}`,
    });
    expect((await state()).lastNotificationAt).not.toBeNull();
  });

  it('that meets one of somebody else is explained, and is no crash (rule 37)', async () => {
    platform.script(answer(409, '{"message":"exists"}'));
    expect(await register(CONFIRMED)).toMatchObject(failure(409, 'WEBHOOK_EXISTS', 'not registered here'));
    expect(await state()).toMatchObject({ outcome: 'exists', url: null });
  });

  it.each([
    ['a 500', answer(500)],
    ['a lost answer', drop],
  ])('that meets one after %s is probably ours, and that is said (rule 37)', async (_, script) => {
    platform.script(script);
    expect(await register(CONFIRMED)).toMatchObject(failure(502, 'PLATFORM_SILENT', 'Ask again'));
    expect(await state()).toMatchObject({ outcome: 'unknown', url: null });
    platform.script(answer(409));
    const again = await register(CONFIRMED);
    expect(again).toMatchObject(failure(409, 'WEBHOOK_EXISTS_PROBABLY_OURS', 'answer was lost'));
    const { attempts, ...known } = await state();
    expect(known).toMatchObject({ outcome: 'exists-probably-ours', url: HOOK });
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'exists-probably-ours']);
  });

  it('that a process stored before it ended counts as sent', async () => {
    await bench.rows(
      `INSERT INTO webhook_registrations (tenant, url, events, started_at)
       VALUES ('${shop.id}', '${HOOK}', '{}', now() - interval '1 hour')`,
    );
    expect(await state()).toMatchObject({ outcome: 'unknown' });
    platform.script(answer(409));
    expect(await register(CONFIRMED)).toMatchObject(failure(409, 'WEBHOOK_EXISTS_PROBABLY_OURS', 'probably'));
    expect((await state()).attempts).toMatchObject([{ outcome: null, finishedAt: expect.any(String) }, {}]);
  });

  it('is refused with the platform’s message, without the token that it repeats', async () => {
    platform.script((response, request) => {
      const { authToken } = JSON.parse(request.body) as { authToken: string };
      answer(400, `Brand_Created is no event; authToken ${authToken}, Bearer ${authToken}`)(response, request);
    });
    expect(await register(CONFIRMED)).toMatchObject(failure(422, 'PLATFORM_REFUSED', 'Brand_Created is no event'));
    platform.script(answer(401));
    expect(await register(CONFIRMED)).toMatchObject(failure(503, 'PLATFORM_NOT_REACHED', 'credentials'));
    expect((await state()).attempts.map(({ outcome }) => outcome)).toEqual(['refused', 'not-sent']);
    platform.script(answer(409));
    expect(await register(CONFIRMED)).toMatchObject(failure(409, 'WEBHOOK_EXISTS', 'not registered here'));
  });

  it('is not sent by two at once', async () => {
    await bench.rows(`INSERT INTO webhook_registrations (tenant, url, events) VALUES ('${shop.id}', '${HOOK}', '{}')`);
    expect(await register(CONFIRMED)).toMatchObject(failure(409, 'CONFLICT', 'under way'));
    expect(platform.requests).toEqual([]);
  });

  it('is not sent to a url that a public platform cannot reach, whoever confirms it (rule 37)', async () => {
    shop = PUBLIC_SHOP;
    const answer = await register(CONFIRMED);
    expect(answer).toMatchObject(failure(422, 'REGISTRATION_NOT_POSSIBLE', 'https://'));
    const shown = await register({ url: HOOK });
    expect(shown.body).toMatchObject({
      outcome: 'dry-run',
      problems: [{ code: 'URL_NOT_HTTPS' }, { code: 'URL_NOT_PUBLIC' }],
    });
    expect(await state()).toMatchObject({ attempts: [] });
  });

  it('is not sent without the platform’s credentials, and names the missing ones', async () => {
    await bench.database.connect();
    const logger = createLogger({ app: 'test', level: 'silent' });
    const registrar = new WebhookRegistrar(
      {
        platformTenants: () => {
          throw new ConfigError([{ where: 'tenants[0].platform.password', problem: 'variable ACME is not set' }]);
        },
      },
      new PlatformCallReport(new Registry(), logger),
    );
    const attempts = new RegistrationsRepository(bench.database);
    const tenant = loadConfig(bench.env).tenants.find(({ id }) => id === shop.id)!;
    const request = { tenant, url: HOOK, events: [], from: '', traceparent: '', isConfirmed: true };
    expect(await new RegisterWebhook(attempts, registrar, logger, ALL_LIVE).run(request)).toMatchObject({
      kind: 'forbidden',
      plan: { problems: [{ code: 'PLATFORM_CREDENTIALS', message: expect.stringContaining('ACME is not set') }] },
    });
  });

  it('is not sent for a tenant in shadow', async () => {
    const logger = createLogger({ app: 'test', level: 'silent' });
    const access = loadConfig(bench.env).platformTenants();
    const registrar = new WebhookRegistrar(
      { platformTenants: () => access },
      new PlatformCallReport(new Registry(), logger),
    );
    const live = loadConfig(bench.env).tenants.find(({ id }) => id === shop.id)!;
    const tenant = { ...live, mode: 'shadow' as const };
    const modes = { ...ALL_LIVE, of: () => 'shadow' as const };
    const request = { tenant, url: HOOK, events: [], from: '', traceparent: '', isConfirmed: true };
    const registration = new RegisterWebhook(new RegistrationsRepository(bench.database), registrar, logger, modes);
    expect(await registration.run(request)).toMatchObject({
      kind: 'forbidden',
      plan: {
        problems: [{ code: 'TENANT_IN_SHADOW', message: expect.stringContaining(`Tenant ${shop.id} is in shadow`) }],
      },
    });
    expect(platform.requests).toEqual([]);
  });

  it.each<[object, string]>([
    [{ tenant: 'nobody', url: HOOK }, 'one of the tenants file'],
    [{ tenant: 'shop0' }, 'url is'],
    [{ url: HOOK, tenant: '' }, 'tenant is'],
    [{ tenant: 'shop0', url: HOOK, events: 'Order_Updated' }, 'events is a list'],
    [{ tenant: 'shop0', url: HOOK, confirm: 'yes' }, 'confirm is'],
    [{ tenant: 'shop0', url: HOOK, token: 'x' }, 'There is no such field'],
  ])('is not understood with %j', async (body, message) => {
    const answer = await callApi(app, PATH, { method: 'POST', body });
    expect(answer).toMatchObject(failure(400, 'BAD_REQUEST', message));
  });

  it('leaves no token in any answer, in the log, in the metrics or in a table', async () => {
    const answers = JSON.stringify(await callApi(app, PATH));
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    const rows = JSON.stringify(await bench.rows('SELECT * FROM webhook_registrations'));
    for (const { token } of shops) {
      for (const place of [answers, metrics, rows, bench.log.join('')]) {
        expect(place).not.toContain(token);
        expect(place).not.toContain(createHash('sha256').update(token).digest('hex'));
      }
    }
    expect(JSON.parse(answers)).toMatchObject({ body: { registrations: shops.map(({ id }) => ({ tenant: id })) } });
  });
});
