import { once } from 'node:events';
import { type IncomingMessage, request, type Server } from 'node:http';
import { isKnownSender } from '../http/known-senders.ts';
import type { RunningApp } from '../run/create-app.ts';

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** True if an app of this process takes the caller for a known one, after a call on a connection of its own. */
export async function isKnownAfter({ app, url }: RunningApp, call: Call): Promise<boolean> {
  const server: Server = app.getHttpServer();
  const arrived = once(server, 'request') as Promise<[IncomingMessage]>;
  const { method = 'GET', path, headers = {} } = call;
  const asked = request(url + path, { method, headers, agent: false }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const [{ socket }] = await arrived;
  const isKnown = isKnownSender(socket);
  answer.resume();
  return isKnown;
}
