import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { APP_NAMES, type AppName } from '../../src/operations-apis/app-name.ts';

interface Received {
  readonly app: AppName;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
  /** Never ends. */
  readonly hangs?: true;
}

/** A server for each app, for answers that a real app never gives. */
export interface FakeApps {
  readonly received: Received[];
  /** Answers each call from now on. */
  answer(by: (call: Received) => FakeAnswer): void;
  /** Base URL of each app. */
  readonly urls: Readonly<Record<AppName, string>>;
  stop(): Promise<void>;
}

export async function startFakeApps(): Promise<FakeApps> {
  const received: Received[] = [];
  const answers = { by: emptyAnswer };
  const servers: Server[] = [];
  const urls: [AppName, string][] = [];
  for (const app of APP_NAMES) {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const call = { app, method, url, headers, body };
        received.push(call);
        const { status = 200, headers: given = {}, body: text = '{}', hangs } = answers.by(call);
        response.writeHead(status, { 'content-type': 'application/json', ...given });
        if (hangs === true) response.write(text);
        else response.end(text);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    urls.push([app, `http://127.0.0.1:${(server.address() as AddressInfo).port}`]);
  }
  return {
    received,
    answer: (by) => {
      answers.by = by;
    },
    urls: Object.fromEntries(urls) as Record<AppName, string>,
    stop: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }
    },
  };
}

function emptyAnswer(_call: Received): FakeAnswer {
  return {};
}
