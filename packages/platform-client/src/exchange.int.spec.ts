import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Agent, buildConnector } from 'undici';
import { exchange } from './exchange.ts';
import { type PlatformAccess, platformRequest } from './platform-request.ts';
import { answer, ScriptedServer } from './testing/scripted-server.ts';

const LONG_MS = 600_000;

let server: ScriptedServer;
let agent: Agent;
let access: PlatformAccess;

beforeEach(async () => {
  server = new ScriptedServer();
  await server.start();
  agent = new Agent();
  access = {
    contractAccountId: '11111111-1111-4111-8111-111111111111',
    baseUrl: 'http://integration.invalid',
    coreBaseUrl: server.url,
    username: 'erp-one',
    password: 'secret',
    coreApiKey: 'core-key',
  };
});

afterEach(async () => {
  await agent.close();
  await server.stop();
});

const post = (path: string) => platformRequest(access, { service: 'core', method: 'POST', path, body: '[]' });

describe('one HTTP call', () => {
  it('to the core service carries X-API-KEY and no Basic (rule 36)', async () => {
    const request = platformRequest(access, { service: 'core', method: 'GET', path: '/v1/gateway/orders/7/details' });
    expect(await exchange(agent, request, { timeoutMs: LONG_MS })).toMatchObject({ phase: 'answered', status: 200 });
    expect(server.requests[0]).toMatchObject({
      url: '/v1/gateway/orders/7/details',
      headers: { 'x-api-key': 'core-key' },
    });
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(server.requests[0]?.headers).not.toHaveProperty('x-contractaccountid');
  });

  it('that timed out while it waited for a connection is not sent later (rule 16)', async () => {
    const connect = buildConnector({});
    const held = Promise.withResolvers<void>();
    const connected = Promise.withResolvers<void>();
    agent = new Agent({
      connections: 1,
      connect: (options, callback) => {
        const proceed = async () => {
          await held.promise;
          connect(options, callback);
          connected.resolve();
        };
        void proceed();
      },
    });

    expect(await exchange(agent, post('/late'), { timeoutMs: 20 })).toEqual({ phase: 'not-sent', loss: 'timeout' });
    held.resolve();
    await connected.promise;
    expect(await exchange(agent, post('/next'), { timeoutMs: LONG_MS })).toMatchObject({ phase: 'answered' });
    expect(server.requests.map(({ url }) => url)).toEqual(['/next']);
  });

  it('is answered by its final status, not by a 103 before it', async () => {
    server.script((response, request) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () =>
        answer(429, '', { 'retry-after': '3' })(response, request),
      );
    });
    const request = platformRequest(access, { service: 'core', method: 'GET', path: '/' });
    const end = await exchange(agent, request, { timeoutMs: LONG_MS });
    expect(end).toMatchObject({ phase: 'answered', status: 429, retryAfter: '3' });
  });

  it('whose connection broke after a 103 has no answer (rule 16)', async () => {
    server.script((response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => response.socket?.destroy());
    });
    expect(await exchange(agent, post('/'), { timeoutMs: LONG_MS })).toEqual({ phase: 'no-answer', loss: 'dropped' });
  });

  it('to core cannot be made without a key', () => {
    const { coreApiKey: _, ...withoutKey } = access;
    expect(() => platformRequest(withoutKey, { service: 'core', method: 'GET', path: '/' })).toThrow(
      expect.objectContaining({ code: 'CORE_KEY_MISSING' }),
    );
  });
});
