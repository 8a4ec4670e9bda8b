/**
 * An app for tests of `startChildApp`: its environment determines when it is ready, and whether it ignores SIGTERM.
 */
import { createServer } from 'node:http';

const { PORT, READY, DEAF, GREETING } = process.env;
process.stdout.write(`${GREETING}\n`);
if (DEAF) process.on('SIGTERM', () => {});
if (READY === 'crash') process.exit(7);
createServer((request, response) => {
  response.writeHead(request.url === '/health/ready' && READY === 'yes' ? 200 : 503).end();
}).listen(Number(PORT), '127.0.0.1');
