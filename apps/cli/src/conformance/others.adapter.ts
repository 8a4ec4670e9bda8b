import { once } from 'node:events';
import { createServer, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { WrongUsage } from '../command-line/option-values.ts';
import type { Say } from '../texts/texts.ts';
import { parsed } from './parsed.ts';
import { type AskedPlatform, identityOf, type Received } from './platform-checks.ts';
import type { Delivery } from './receiver-checks.ts';

const ANSWER_MS = 15_000;
const CALL_MS = 30_000;
const POLL_MS = 200;
const PIECE_MS = 150;
const MOST_NOTES = 10_000;
const MOST_BYTES = 5_000_000;

interface PlatformLogin {
  readonly url: string;
  readonly account: string;
  readonly user: string;
  readonly password: string;
}

/** Calls of a platform as the merchant. A redirect is not followed: it would disclose the password. */
export function callerOf({ url, account, user, password }: PlatformLogin): AskedPlatform['ask'] {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return async (method, path, body, more = {}) => {
    const named = { authorization, 'x-contractAccountId': account, 'content-type': 'application/json', ...more };
    const headers = Object.entries(named).filter((pair): pair is [string, string] => pair[1] !== null);
    const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const options = { method, headers, redirect: 'manual', signal: AbortSignal.timeout(CALL_MS), ...content } as const;
    const answer = fetch(url.replace(/\/+$/, '') + path, options).then(async (response) => {
      return { status: response.status, text: await response.text() };
    });
    return answer.catch(() => ({ status: 0, text: '' }));
  };
}

/** Repeats a look until it is so, at most for this long. */
export function waiting(waitMs: number): AskedPlatform['until'] {
  return async (look, isSo) => {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const seen = await look();
      if (isSo(seen) || performance.now() > deadline) return seen;
      await pause(POLL_MS);
    }
  };
}

/** Receives notifications until it is closed. Those about `refused` are answered 500, so that they come again. */
export async function listen(address: string, refused: string, say: Say) {
  const notes: Received[] = [];
  const server = createServer((request, response) => {
    const take = (body: string): void => {
      if (notes.length < MOST_NOTES) notes.push({ authorization: request.headers.authorization, text: body });
      response.writeHead(identityOf(parsed(body)) === refused ? 500 : 202).end();
    };
    let left = MOST_BYTES;
    request.on('data', (bytes: Buffer) => ((left -= bytes.length) < 0 ? request.destroy() : undefined));
    void text(request).then(take, () => {});
  });
  const at = address.lastIndexOf(':');
  server.listen(Number(address.slice(at + 1)), address.slice(0, at));
  await once(server, 'listening').catch(({ code = '-' }: NodeJS.ErrnoException) => {
    throw new WrongUsage(say('notListening', { address, code }));
  });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { notes, close };
}

/** Throws unless an HTTP server answers, whatever it says. */
export async function reach(url: string, say: Say): Promise<void> {
  const options = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) } as const;
  await fetch(url, options).catch((error: Error) => {
    const { code = error.name } = (error.cause ?? {}) as NodeJS.ErrnoException;
    throw new WrongUsage(say('notAnswering', { url, code }));
  });
}

/** Delivers to a receiver as a platform does. An answer counts also if it comes before the whole body is sent. */
export function deliverTo(url: string) {
  return async ({ body, token, type = 'application/json', pace }: Delivery): Promise<number | null> => {
    const bytes = Buffer.from(body as string);
    const { promise, resolve } = Promise.withResolvers<number | null>();
    const login = token === null ? {} : { authorization: token };
    const headers = { 'content-type': type, 'content-length': bytes.length, ...login };
    const send = url.startsWith('https:') ? secure : plain;
    const request = send(url, { method: 'POST', headers, signal: AbortSignal.timeout(ANSWER_MS) });
    request.on('response', (response) => {
      response.on('error', () => {}).resume();
      resolve(response.statusCode ?? null);
    });
    request.on('error', () => resolve(null)).on('close', () => resolve(null));
    const size = pace === undefined ? bytes.length : Math.ceil(bytes.length / 5);
    const end = pace === 'broken-off' ? bytes.length / 2 : bytes.length;
    for (let at = 0; at < end; at += size) {
      request.write(bytes.subarray(at, at + size));
      if (pace !== undefined) await pause(PIECE_MS);
    }
    if (pace === 'broken-off') request.destroy();
    else request.end();
    return promise;
  };
}
