// A server that refuses everybody at once, as cheaply as Node.js can: beside it a shop loses to strangers only the
// share of the machine that they take themselves. It prints its port.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer({ headersTimeout: 15_000, connectionsCheckingInterval: 5_000 }, (request, response) => {
  request.resume();
  response.writeHead(401, { connection: 'close' }).end();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
