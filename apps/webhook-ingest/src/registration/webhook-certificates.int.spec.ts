import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { makeTestCertificate, type TestCertificate } from '@gondola/local-stack/testing/test-certificate';
import { TestServer } from '@gondola/local-stack/testing/test-server';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { DAY_MS } from '@gondola/shared/durations';
import { Registry } from 'prom-client';
import type { RegistrationAttemptEntity } from './registration-attempt.entity.ts';
import { WebhookCertificates } from './webhook-certificates.service.ts';

/** Urls of the registered webhooks by tenant. */
const urls = new Map<string, string>();
let certificate: TestCertificate;
let address: TestServer;
let registry: Registry;
let certificates: WebhookCertificates;

beforeAll(async () => {
  certificate = await makeTestCertificate(10);
});

beforeEach(async () => {
  address = await TestServer.start((_request, response) => response.end(), certificate);
  registry = new Registry();
  urls.clear();
  const registrations = {
    of: async (tenant: string) => {
      const url = urls.get(tenant);
      return url === undefined ? [] : [{ outcome: 'registered', url } as RegistrationAttemptEntity];
    },
  };
  const tenants = ['secure', 'plain', 'gone', 'none'].map((id) => ({ id }));
  const logger = createLogger({ app: 'test', level: 'silent' });
  certificates = new WebhookCertificates(registrations, tenants, registry, logger);
});

afterEach(() => address.stop());

async function shown(): Promise<Record<string, number>> {
  const lines = (await registry.metrics()).matchAll(
    /^gondola_certificate_\w+\{tenant="(\w+)",certificate="webhook"\} (.*)$/gm,
  );
  return Object.fromEntries([...lines].map(([, tenant, value]) => [tenant!, Number(value) * 1_000 - Date.now()]));
}

describe('the certificate of a registered webhook', () => {
  it('is read from its address, of each tenant that has one with https', async () => {
    urls.set('secure', `${address.url}/webhooks/platform`);
    urls.set('plain', 'http://127.0.0.1:1/webhooks/platform');
    urls.set('gone', 'https://127.0.0.1:1/webhooks/platform');
    await certificates.read();
    const found = await shown();
    expect(Object.keys(found)).toEqual(['secure']);
    expect(Math.abs(found['secure']! - 10 * DAY_MS)).toBeLessThan(DAY_MS);
  });

  it('keeps its last known time while the address does not answer', async () => {
    urls.set('secure', address.url);
    await certificates.read();
    urls.set('secure', 'https://127.0.0.1:1');
    await certificates.read();
    expect(Object.keys(await shown())).toEqual(['secure']);
  });
});
