// Baseline of `npm run bench -- ingest`: Fastify alone, which parses the body and stores nothing.
import { fastify } from 'fastify';

const MAX_BODY_BYTES = 5_000_000;

const server = fastify({ bodyLimit: MAX_BODY_BYTES });
server.get('/health/ready', () => ({ status: 'ready' }));
server.post('/webhooks/platform', (_request, reply) => reply.code(200).send());
await server.listen({ host: '127.0.0.1', port: Number(process.env['HTTP_PORT']) });
