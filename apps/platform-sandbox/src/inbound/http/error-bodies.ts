import { STATUS_CODES } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Behaviour } from '../../domain/behaviour.ts';
import { isPlatformRoute } from './request-log.ts';

/**
 * Writes the errors of the platform's routes in the form that the switch `errorBody` says; their message stays what it
 * is.
 */
export function shapeErrors(fastify: FastifyInstance, behaviour: () => Behaviour): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { errorBody } = behaviour();
    const message = messageOf(payload);
    if (errorBody === 'object' || reply.statusCode < 400 || message === undefined || !isPlatformRoute(request.url)) {
      done(null, payload);
      return;
    }
    if (errorBody === 'text') {
      void reply.header('content-type', 'text/plain; charset=utf-8');
      done(null, message);
      return;
    }
    const { statusCode: status } = reply;
    void reply.header('content-type', 'application/problem+json; charset=utf-8');
    done(
      null,
      JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail: message }),
    );
  });
}

/** Of `{ error: { message } }`; undefined where the answer is something else. */
function messageOf(payload: unknown): string | undefined {
  if (typeof payload !== 'string' || !payload.startsWith('{"error":')) return undefined;
  const { error } = JSON.parse(payload) as { error: { message?: unknown } };
  return typeof error.message === 'string' ? error.message : undefined;
}
