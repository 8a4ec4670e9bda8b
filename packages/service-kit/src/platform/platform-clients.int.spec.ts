import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_WIRE_PROFILE } from '@gondola/platform-client/wire-profile';
import { Registry } from 'prom-client';
import { createLogger } from '../logging/logger.ts';
import { Clock } from '../run/clock.ts';
import { Randomness } from '../run/randomness.ts';
import { PlatformCallReport } from './platform-call-report.ts';
import { PlatformClients } from './platform-clients.ts';

let server: Server;
let lines: Record<string, unknown>[];
let registry: Registry;
let clients: PlatformClients;

beforeEach(async () => {
  server = createServer((request, response) => {
    response.writeHead(request.headers['x-contractaccountid'] === 'acme' ? 200 : 401).end('400');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  lines = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tenants = ['acme', 'other'].map((id) => ({
    id,
    mode: 'live' as const,
    contractAccountId: id,
    deadlines: { commandMs: 2_000, invoiceMs: 3_600_000, referencesMs: 86_400_000, settleMs: 30_000 },
    platform: {
      baseUrl,
      coreBaseUrl: baseUrl,
      username: 'erp-one',
      password: 'segredo',
      coreApiKey: null,
      concurrency: 1,
      profile: DEFAULT_WIRE_PROFILE,
    },
  }));
  const logger = createLogger({ app: 'kit', level: 'info', destination });
  registry = new Registry();
  const report = new PlatformCallReport(registry, logger);
  clients = new PlatformClients(
    tenants,
    { times: { platformTimeoutMs: 60_000 } },
    report,
    registry,
    new Clock(),
    new Randomness(),
    { leavesOut: () => true, store: async () => {} },
  );
});

afterEach(async () => {
  await clients.stop();
  server.close();
});

describe('the clients of the platform', () => {
  it('are one for each tenant: the open circuit breaker of one does not affect the other (guarantee 5)', async () => {
    expect(clients.of('acme')).toBe(clients.of('acme'));
    expect(await clients.of('other').getOrderStatus('7')).toMatchObject({ kind: 'unavailable', cause: 'credentials' });
    expect(await clients.of('acme').getOrderStatus('7')).toMatchObject({ kind: 'found', value: 400 });
    expect(clients.of('other').openUntil('getOrderStatus')).not.toBeNull();
    expect(clients.of('acme').openUntil('getOrderStatus')).toBeNull();
  });

  it('are stopped for at most a tenth of the time in which a command must end (rule 17)', async () => {
    await clients.of('other').getOrderStatus('7');
    const opensAgainMs = clients.of('other').openUntil('getOrderStatus')! - performance.timeOrigin - performance.now();
    expect(opensAgainMs).toBeLessThanOrEqual(200);
  });

  it('log each call in one line without dropped fields, and refused credentials as an error', async () => {
    await clients.of('acme').getOrderStatus('7');
    await clients.of('other').getOrderStatus('7');
    const call = { route: 'getOrderStatus', durationMs: expect.any(Number) };
    expect(lines).toEqual([
      expect.objectContaining({ ...call, level: 'info', tenant: 'acme', outcome: 'found', statusCode: 200 }),
      expect.objectContaining({ ...call, level: 'error', tenant: 'other', reason: 'credentials', statusCode: 401 }),
    ]);
    for (const line of lines) expect(line).not.toHaveProperty('dropped');
  });

  it('are counted by tenant, route and result, timed if they were sent, and show what is paused since when', async () => {
    await clients.of('acme').getOrderStatus('7');
    await clients.of('other').getOrderStatus('7');
    await clients.of('other').getOrderStatus('7');
    const shown = await registry.metrics();
    const route = 'route="getOrderStatus"';
    expect(shown).toContain(`gondola_platform_calls_total{tenant="acme",${route},result="found"} 1`);
    expect(shown).toContain(`gondola_platform_calls_total{tenant="other",${route},result="credentials"} 2`);
    expect(shown).toContain(`gondola_platform_call_duration_seconds_count{tenant="acme",${route}} 1`);
    expect(shown).toContain(`gondola_platform_call_duration_seconds_count{tenant="other",${route}} 1`);
    expect(shown).toMatch(/^gondola_platform_pause_age_seconds\{tenant="other",route="all",cause="credentials"\} 0/m);
    expect(shown).not.toContain('gondola_platform_pause_age_seconds{tenant="acme"');
  });

  it('do not exist for unknown tenants, and are closed when they are stopped', async () => {
    expect(() => clients.of('nobody')).toThrow('not configured');
    await clients.stop();
    await expect(clients.of('acme').getOrderStatus('7')).rejects.toMatchObject({ code: 'REQUEST_NOT_POSSIBLE' });
  });
});
