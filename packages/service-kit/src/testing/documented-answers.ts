import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type AnswerCheck, answerCheck, type GivenAnswer } from '@gondola/local-stack/testing/answer-check';
import type { FastifyInstance } from 'fastify';
import type { DirectRoute } from '../http/direct-route.ts';
import { OpenApiDocument } from '../http/openapi-document.ts';
import type { AppOptions } from '../run/app-options.ts';
import { createApp, type RunningApp } from '../run/create-app.ts';

/** Route of what is no API. */
const FILES_OF_A_PAGE = '/*';

type Take = (answer: GivenAnswer) => void;

/** An app, not started yet, each of whose answers is checked against its own document. */
export interface WatchedApp {
  readonly running: RunningApp;
  /** Throws if the document does not allow one of the answers so far. */
  readonly checkAnswers: () => Promise<void>;
}

export async function createWatchedApp({ directRoute, ...options }: AppOptions): Promise<WatchedApp> {
  const found = new Set<string>();
  const checks: Promise<void>[] = [];
  let check: Promise<AnswerCheck> | undefined;
  const take: Take = (answer) => {
    check ??= running.app.get(OpenApiDocument).content().then(answerCheck);
    checks.push(check.then((problemsOf) => problemsOf(answer).forEach((problem) => found.add(problem))));
  };
  const running = await createApp({
    ...options,
    ...(directRoute && { directRoute: (app) => watchedRoute(directRoute(app), take) }),
  });
  watchFastify(running.app.getHttpAdapter().getInstance(), take);
  return {
    running,
    checkAnswers: async () => {
      await Promise.all(checks);
      if (found.size > 0) throw new Error(`Answers that /api/openapi.json does not allow:\n${[...found].join('\n')}`);
    },
  };
}

function watchFastify(fastify: FastifyInstance, take: Take): void {
  fastify.addHook('onSend', async ({ method, routeOptions }, reply, payload) => {
    const { url: route } = routeOptions;
    if (route === undefined || route === FILES_OF_A_PAGE || method === 'HEAD') return;
    const contentType = reply.getHeader('content-type') as string | undefined;
    const body = Buffer.isBuffer(payload) ? payload.toString() : payload;
    take({ method, route, status: reply.statusCode, contentType, body: typeof body === 'string' ? body : null });
  });
}

/** A direct route writes the head of an answer itself, and its body in one piece. */
function watchedRoute(direct: DirectRoute, take: Take): DirectRoute {
  return {
    patternOf: (request) => direct.patternOf(request),
    isKnown: (request) => direct.isKnown(request),
    take: (request, response, traceparent) => {
      const { method = '' } = request;
      const route = direct.patternOf(request) ?? '';
      watchResponse(response, (status, contentType, body) => take({ method, route, status, contentType, body }));
      direct.take(request, response, traceparent);
    },
  };
}

function watchResponse(
  response: ServerResponse,
  onEnd: (status: number, contentType: string | undefined, body: string) => void,
): void {
  const writeHead = response.writeHead.bind(response);
  const end = response.end.bind(response);
  let contentType: string | undefined;
  Object.assign(response, {
    writeHead: (status: number, headers: OutgoingHttpHeaders = {}) => {
      contentType = headers['content-type'];
      return writeHead(status, headers);
    },
    end: (body: string | Buffer = '') => {
      onEnd(response.statusCode, contentType, body.toString());
      return end(body);
    },
  });
}
