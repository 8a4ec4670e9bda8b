import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeTestCertificate, type TestCertificate } from '@gondola/local-stack/testing/test-certificate';
import { WAIT_LIMIT_MS, waitFor } from '@gondola/local-stack/wait-for';
import { Client } from 'pg';
import { TOPIC } from '../erp/erp.ts';
import { bringUp, type Gondola, ROOT, schemaOf } from '../play/gondola.ts';
import { registerWebhook } from '../play/gondola-client.ts';
import { Reporter } from '../play/reporter.ts';
import { secretsOf, type Secrets, shopCredentials } from '../play/settings.ts';
import { Prometheus } from './prometheus.ts';
import { shortenedRules } from './shortened-rules.ts';
import { TlsDoor } from './tls-door.ts';

// The proof of the alerts: the real apps, servers and Prometheus; a part is broken, the alert of this part fires, no
// other page does, and after the repair nothing fires. The rules are those of infra/alerts, with shorter times
// (shortened-rules.ts).

const TENANT = 'acme';
/** Circuit breakers open for a tenth of it at most. */
const DEADLINES = { settleMs: 1_500, commandMs: 60_000 };
const TARGETS = ['webhook-ingest', 'order-command-handler', 'catalog-publisher', 'file-gateway', 'console'] as const;

interface BrokenPart {
  /** Alerts of the part. */
  readonly pages?: readonly string[];
  readonly tickets?: readonly string[];
  readonly fail: () => Promise<void>;
  readonly repair: () => Promise<void>;
}

/** Debian's package `prometheus` has it; `.ci/run` installs it. */
const withPrometheus = spawnSync('prometheus', ['--version']).error === undefined ? describe : describe.skip;

withPrometheus('the alerts of the running system (skipped without prometheus)', () => {
  const reporter = new Reporter({ write: () => true, isTTY: false });
  let dir: string;
  let lasting: TestCertificate;
  let ending: TestCertificate;
  let platformDoor: TlsDoor;
  let webhookDoor: TlsDoor;
  let gondola: Gondola;
  let secrets: Secrets;
  let prometheus: Prometheus;
  let brands = 0;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'gondola-broken-'));
    const logDir = join(import.meta.dirname, '../test-results/broken-parts');
    lasting = await makeTestCertificate(100);
    ending = await makeTestCertificate(1);
    platformDoor = await TlsDoor.open(ending);
    webhookDoor = await TlsDoor.open(ending);
    const trusted = join(dir, 'trusted.pem');
    await writeFile(trusted, lasting.pem + ending.pem);
    gondola = await bringUp({
      reporter,
      dir,
      logDir,
      lasting: false,
      external: {},
      prefix: '',
      stepTimeoutMs: WAIT_LIMIT_MS,
      onGivenUp: () => undefined,
      tenant: { platform: { baseUrl: platformDoor.url }, deadlines: DEADLINES },
      env: { NODE_EXTRA_CA_CERTS: trusted },
    });
    secrets = await secretsOf(dir);
    platformDoor.leadTo(gondola.urls['platform-sandbox']);
    webhookDoor.leadTo(gondola.urls['webhook-ingest']);
    const { shop, ingest, webhookUrl } = gondola.context;
    await shop.openShop();
    await registerWebhook(ingest, TENANT, webhookUrl);
    const folder = join(dir, 'prometheus');
    await mkdir(folder);
    const rules = shortenedRules(await readFile(join(ROOT, 'infra/alerts/gondola.yaml'), 'utf8'));
    const targets = Object.fromEntries(TARGETS.map((app) => [app, gondola.urls[app]]));
    prometheus = await Prometheus.start({ folder, targets, rules, logFile: join(logDir, 'prometheus.log') });
    await waitFor(async () => (await prometheus.scraped()) === TARGETS.length, { describe: 'a scrape of every app' });
  });

  afterAll(async () => {
    await prometheus?.stop();
    await gondola?.stop();
    await platformDoor?.close();
    await webhookDoor?.close();
    await rm(dir, { recursive: true, force: true });
  });

  async function sendBrands(count: number): Promise<void> {
    for (let sent = 0; sent < count; sent += 1) {
      const reference = `MARCA-${(brands += 1)}`;
      const value = {
        externalReference: reference,
        name: reference,
        title: reference,
        description: reference,
        punctuation: 1,
      };
      await gondola.context.erp.send(TOPIC.brands, [{ key: reference, value }]);
    }
  }

  /** A delivery as the platform makes it; its status. */
  async function deliver(): Promise<number> {
    const { contractAccountId } = shopCredentials(secrets);
    const data = { number: 900_001, status: 300 };
    const notification = {
      operationId: randomUUID(),
      contractAccountId,
      relatedEntity: 'Order',
      eventType: 'Order_Updated',
      data,
    };
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${secrets.webhookToken}` };
    const answer = await fetch(gondola.context.webhookUrl, {
      method: 'POST',
      headers,
      body: JSON.stringify(notification),
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  async function inDatabase(statement: string, values: readonly unknown[] = []): Promise<void> {
    const client = new Client({ connectionString: gondola.stack.databaseUrl });
    await client.connect();
    try {
      await client.query(statement, [...values]);
    } finally {
      await client.end();
    }
  }

  const fires = (severity: 'page' | 'ticket', alert: string): Promise<boolean> =>
    waitFor(async () => (await prometheus.firing(severity)).includes(alert), { describe: `${alert} to fire` });

  const isQuiet = (severity: 'page' | 'ticket', alerts: readonly string[]): Promise<boolean> =>
    waitFor(async () => (await prometheus.firing(severity)).every((alert) => !alerts.includes(alert)), {
      describe: `no ${alerts.join(', ')} to fire`,
    });

  /** Breaks and repairs a part, and waits until its alerts fire and are quiet again; returns all pages that fired. */
  async function pagesOf({ pages = [], tickets = [], fail, repair }: BrokenPart): Promise<string[]> {
    expect(await prometheus.firing('page')).toEqual([]);
    const beganAt = performance.now();
    await fail();
    for (const alert of pages) await fires('page', alert);
    for (const alert of tickets) await fires('ticket', alert);
    await repair();
    await isQuiet('page', pages);
    await isQuiet('ticket', tickets);
    expect(await prometheus.firing('page')).toEqual([]);
    return await prometheus.pagesWithin(Math.floor((performance.now() - beganAt) / 1_000));
  }

  async function startIngestAgain(): Promise<void> {
    const bringBack = await gondola.supervisor.takeAway('webhook-ingest');
    await bringBack();
  }

  /** The known certificate is that of the last connection, so that its change needs a call. */
  async function renewAtPlatform(): Promise<void> {
    platformDoor.show(lasting);
    await sendBrands(1);
  }

  /** The token that the platform sends. */
  async function setToken(token: string): Promise<void> {
    await gondola.context.shop.registerAnew(token);
  }

  /** The shop gets two products, of which the platform notifies. */
  async function sendWithAnotherToken(): Promise<void> {
    await setToken('another-token-of-the-platform');
    for (const reference of ['LOJA-1', 'LOJA-2'])
      await gondola.context.shop.loadProduct({
        externalReference: reference,
        commercialPolicyId: '22222222-2222-4222-8222-222222222222',
        name: reference,
        slug: reference.toLowerCase(),
        title: reference,
        shortDescription: reference,
        longDescription: reference,
        punctuation: 1,
        skus: [],
      });
  }

  it('wake nobody, but say in the morning, that the platform’s certificate ends soon', async () => {
    const tickets = ['GondolaCertificateExpires'];
    expect(await pagesOf({ tickets, fail: () => sendBrands(1), repair: renewAtPlatform })).toEqual([]);
  });

  it('say that records wait while Kafka is away', async () => {
    const { kafka } = gondola.stack;
    const pages = ['GondolaRecordsNotSent'];
    const fail = async (): Promise<void> => {
      await kafka!.kill();
      expect(await deliver()).toBe(200);
    };
    expect(await pagesOf({ pages, fail, repair: () => kafka!.restart() })).toEqual(pages);
  });

  it('say that consumers stand still and the spool is used while PostgreSQL is away, and that its disk fails, too', async () => {
    const { postgres } = gondola.stack;
    const spool = join(dir, 'spool');
    const pages = ['GondolaConsumerStopped', 'GondolaDeliveriesNotStored', 'GondolaSpoolFull'];
    const fail = async (): Promise<void> => {
      await postgres!.kill();
      expect(await deliver()).toBe(200);
      await sendBrands(1);
      await fires('page', 'GondolaConsumerStopped');
      await fires('ticket', 'GondolaSpoolInUse');
      // An app of a busy machine may answer a scrape late, and its alerts then begin anew: no other page fires.
      expect(['GondolaConsumerStopped']).toEqual(expect.arrayContaining(await prometheus.firing('page')));
      await rename(spool, `${spool}-away`);
      await writeFile(spool, '');
      await waitFor(
        async () => {
          expect(await deliver()).toBe(503);
          return (await prometheus.firing('page')).includes('GondolaDeliveriesNotStored');
        },
        { describe: 'GondolaDeliveriesNotStored to fire' },
      );
    };
    const repair = async (): Promise<void> => {
      await rm(spool);
      await rename(`${spool}-away`, spool);
      await postgres!.restart();
    };
    expect(await pagesOf({ pages, tickets: ['GondolaSpoolInUse'], fail, repair })).toEqual(pages);
  });

  it('say that the platform refuses the credentials', async () => {
    const { shop } = gondola.context;
    const pages = ['GondolaCredentialsRefused'];
    const fail = async (): Promise<void> => {
      await shop.bend({ kind: 'credentials-expired' });
      await sendBrands(1);
    };
    expect(await pagesOf({ pages, fail, repair: () => shop.straighten() })).toEqual(pages);
  });

  it('wake nobody, but say in the morning, that the platform fails', async () => {
    const { shop } = gondola.context;
    const fail = async (): Promise<void> => {
      await shop.bend({ kind: 'error-before', status: 503 });
      await sendBrands(8);
    };
    const tickets = ['GondolaPlatformPaused'];
    expect(await pagesOf({ tickets, fail, repair: () => shop.straighten() })).toEqual([]);
  });

  it('say that the webhook’s token is not the one of the tenants file', async () => {
    const pages = ['GondolaDeliveriesUnauthorized'];
    expect(await pagesOf({ pages, fail: sendWithAnotherToken, repair: () => setToken(secrets.webhookToken) })).toEqual(
      pages,
    );
  });

  it('say that the certificate of the webhook’s address ends within two days', async () => {
    await inDatabase(`UPDATE ${schemaOf('', 'webhook-ingest')}.webhook_registrations SET url = $1`, [webhookDoor.url]);
    const pages = ['GondolaWebhookCertificateExpires'];
    // The address is read when the app starts, and then every ten minutes.
    const repair = async (): Promise<void> => {
      webhookDoor.show(lasting);
      await startIngestAgain();
    };
    const tickets = ['GondolaCertificateExpires'];
    expect(await pagesOf({ pages, tickets, fail: startIngestAgain, repair })).toEqual(pages);
  });
});
