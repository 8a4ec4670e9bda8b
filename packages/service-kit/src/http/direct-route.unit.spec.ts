import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { RunningApp } from '../run/create-app.ts';
import type { DirectRoute } from './direct-route.ts';
import { isKnownAfter } from '../testing/known-caller.ts';
import { ask, OPERATIONS_TOKEN, shelfApp } from '../testing/shelf-app.ts';

const PATTERN = '/hot/:name';
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Answers with its own traceparent, and with the status at the end of its path, if any. */
class HotRoute implements DirectRoute {
  readonly unanswered = Promise.withResolvers<ServerResponse>();

  patternOf({ url = '' }: IncomingMessage): string | null {
    return url.startsWith('/hot/') ? PATTERN : null;
  }

  isKnown({ headers }: IncomingMessage): boolean {
    return headers.authorization === 'known';
  }

  take({ url = '' }: IncomingMessage, response: ServerResponse, traceparent: string): void {
    const status = Number(url.slice(-3));
    if (Number.isNaN(status)) this.unanswered.resolve(response);
    else response.writeHead(status).end(traceparent);
  }
}

const lines: string[] = [];
let hot: HotRoute;
let shelf: RunningApp;

beforeEach(async () => {
  hot = new HotRoute();
  shelf = await shelfApp(lines, { directRoute: () => hot });
  await shelf.start();
});

afterEach(async () => {
  await shelf.stop();
  lines.splice(0);
});

function answered(): unknown[] {
  return lines.filter((line) => line.includes('Request answered')).map((line) => JSON.parse(line) as unknown);
}

describe('a direct route', () => {
  it('handles its own requests, and leaves the rest to Fastify', async () => {
    expect(await ask(shelf, '/hot/200')).toMatchObject({ status: 200 });
    expect(await ask(shelf, '/api/shelves')).toMatchObject({ status: 200, body: ['one'] });
    expect(await ask(shelf, '/cold')).toMatchObject({ status: 404 });
  });

  it('knows a caller by its credentials, on its own routes and on those of the operations API', async () => {
    for (const [path, authorization, isKnown] of [
      ['/hot/200', 'known', true],
      ['/hot/200', 'nobody', false],
      ['/api/shelves', `Bearer ${OPERATIONS_TOKEN}`, true],
      ['/api/shelves', 'Bearer nobody', false],
      ['/trace', `Bearer ${OPERATIONS_TOKEN}`, false],
    ] as const)
      expect([path, authorization, await isKnownAfter(shelf, { path, headers: { authorization } })]).toEqual([
        path,
        authorization,
        isKnown,
      ]);
  });

  it('gets a span of the trace of a known caller, and of a stranger’s a new one', async () => {
    const headers = { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` };
    const known = await fetch(`${shelf.url}/hot/200`, { headers: { ...headers, authorization: 'known' } });
    expect(await known.text()).toMatch(new RegExp(`^00-${TRACE_ID}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`));
    const strange = await ask(shelf, '/hot/200', { headers });
    expect(strange.body).toMatch(new RegExp(`^00-(?!${TRACE_ID})[0-9a-f]{32}-[0-9a-f]{16}-01$`));
  });

  it('is served on every address, also of a name with several addresses', async () => {
    await shelf.stop();
    const http = { host: 'localhost', port: 0, operationsToken: null };
    shelf = await shelfApp(lines, { config: { http }, directRoute: () => hot });
    const listen = jest.spyOn(shelf.app.getHttpServer(), 'listen');
    await shelf.start();
    const [{ host }] = listen.mock.calls[0] as unknown as [{ host: string }];
    expect(isIP(host)).toBeGreaterThan(0);
    expect(await ask(shelf, '/hot/200')).toMatchObject({ status: 200 });
  });

  it.each([
    ['debug', 200],
    ['info', 404],
    ['warn', 503],
  ])('has each answer logged by its pattern, at %s for %i', async (level, statusCode) => {
    const { body } = await ask(shelf, `/hot/${statusCode}`);
    await shelf.stop();
    const traceId = String(body).split('-')[1];
    expect(answered()).toMatchObject([{ level, method: 'GET', route: PATTERN, statusCode, traceId }]);
  });

  it('has no log line of a request whose sender disconnects', async () => {
    const breaking = new AbortController();
    const asked = fetch(`${shelf.url}/hot/never`, { signal: breaking.signal }).catch(() => 'broken off');
    const closed = once(await hot.unanswered.promise, 'close');
    breaking.abort();
    expect(await asked).toBe('broken off');
    await closed;
    expect(answered()).toEqual([]);
  });
});
