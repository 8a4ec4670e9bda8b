import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { RunningApp } from './create-app.ts';
import type { DirectRoute } from './direct-route.ts';
import { ask, shelfApp } from './testing/shelf-app.ts';

const PATTERN = '/hot/:name';
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Answers with its own traceparent, and with the status that its path ends in. */
class HotRoute implements DirectRoute {
  patternOf({ url = '' }: IncomingMessage): string | null {
    return url.startsWith('/hot/') ? PATTERN : null;
  }

  take({ url = '' }: IncomingMessage, response: ServerResponse, traceparent: string): void {
    response.writeHead(Number(url.slice(-3))).end(traceparent);
  }
}

const lines: string[] = [];
let shelf: RunningApp;

beforeEach(async () => {
  shelf = await shelfApp(lines, { directRoute: () => new HotRoute() });
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
  it('takes what is its own, and leaves the rest to Fastify', async () => {
    expect(await ask(shelf, '/hot/200')).toMatchObject({ status: 200 });
    expect(await ask(shelf, '/api/shelves')).toMatchObject({ status: 200, body: ['one'] });
    expect(await ask(shelf, '/cold')).toMatchObject({ status: 404 });
  });

  it('is handed a span of the caller’s trace', async () => {
    const headers = { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` };
    const { body } = await ask(shelf, '/hot/200', { headers });
    expect(body).toMatch(new RegExp(`^00-${TRACE_ID}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`));
  });

  it('is there on every address that is listened on: on one, also of a name that has several', async () => {
    await shelf.stop();
    const http = { host: 'localhost', port: 0, operationsToken: null };
    shelf = await shelfApp(lines, { config: { http }, directRoute: () => new HotRoute() });
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
  ])('has each answer told by its pattern, at %s for %i', async (level, statusCode) => {
    const { body } = await ask(shelf, `/hot/${statusCode}`);
    await shelf.stop();
    const traceId = String(body).split('-')[1];
    expect(answered()).toMatchObject([{ level, method: 'GET', route: PATTERN, statusCode, traceId }]);
  });
});
