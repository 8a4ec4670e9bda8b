// A server of nobody: it has the limits of HTTP that the shop's apps have, and refuses every request at once.
// Beside it a shop loses to strangers what any server that speaks HTTP with them takes of this one machine. It prints
// its port.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerClientError, serverLimits } from '@gondola/service-kit/http/http-adapter';
import { HttpConnections } from '@gondola/service-kit/http/http-connections';

const connections = new HttpConnections();
const server = createServer(serverLimits({}), (request, response) => {
  if (!connections.admit(request, response)) return;
  connections.inTurn(request, response, () => {
    request.resume();
    response.writeHead(401).end();
  });
});
server.on('clientError', answerClientError);
connections.attach(server);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
