// node load.main.ts <url> <token> <requests> <connections> [<first>] [<times>]: delivers so many orders of 6 kB, from
// the number `first` on and each so many times, over so many connections; prints `{ "perSecond": …, "refused": … }`.
// A separate process with a low-level client, so that the server is what is measured.
import { randomBytes } from 'node:crypto';
import { Client, type Dispatcher } from 'undici';
import { OrderNotifications } from './order-notifications.ts';

const [url = '', token = '', requests = '0', connections = '1', first = '0', times = '1'] = process.argv.slice(2);
const total = Number(requests);
const orders = new OrderNotifications(randomBytes(6).toString('hex'));
let sent = 0;
let refused = 0;

function deliver(client: Client): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => {},
    onResponseStart: (_controller, statusCode) => {
      if (statusCode !== 200) refused += 1;
    },
    onResponseData: () => {},
    onResponseEnd: () => next(),
    onResponseError: (_controller, error) => reject(error),
  };
  const next = (): void => {
    if (sent >= total) return resolve();
    const number = Number(first) + Math.floor(sent / Number(times)) + 1;
    sent += 1;
    const headers = { authorization: token, 'content-type': 'application/json' };
    client.dispatch({ path: '/webhooks/platform', method: 'POST', headers, body: orders.order(number) }, handler);
  };
  next();
  return promise;
}

const clients = Array.from({ length: Number(connections) }, () => new Client(url, { pipelining: 1 }));
const startedAt = performance.now();
await Promise.all(clients.map(deliver));
const perSecond = (total * 1_000) / (performance.now() - startedAt);
await Promise.all(clients.map((client) => client.close()));
process.stdout.write(`${JSON.stringify({ perSecond, refused })}\n`);
