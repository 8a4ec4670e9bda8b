import { type AnswerCheck, answerCheck, type GivenAnswer } from '@gondola/local-stack/testing/answer-check';
import type { FastifyInstance } from 'fastify';
import { OpenApiDocument } from '../http/openapi-document.ts';
import type { RunningApp } from '../run/create-app.ts';

/** Route of what is no API. */
const FILES_OF_A_PAGE = '/*';

/**
 * Checks each answer of an app that is not started yet against the app's own document. The returned function throws if
 * the document does not allow one of them.
 */
export function watchAnswers(running: RunningApp): () => Promise<void> {
  const found = new Set<string>();
  const checks: Promise<void>[] = [];
  let check: Promise<AnswerCheck> | undefined;
  const fastify: FastifyInstance = running.app.getHttpAdapter().getInstance();
  fastify.addHook('onSend', async ({ method, routeOptions }, reply, payload) => {
    const { url: route } = routeOptions;
    if (route === undefined || route === FILES_OF_A_PAGE || method === 'HEAD') return;
    const body = Buffer.isBuffer(payload) ? payload.toString() : payload;
    const answer: GivenAnswer = {
      method,
      route,
      status: reply.statusCode,
      contentType: reply.getHeader('content-type') as string | undefined,
      body: typeof body === 'string' ? body : null,
    };
    check ??= running.app.get(OpenApiDocument).content().then(answerCheck);
    checks.push(check.then((problemsOf) => problemsOf(answer).forEach((problem) => found.add(problem))));
  });
  return async () => {
    await Promise.all(checks);
    if (found.size > 0) throw new Error(`Answers that /api/openapi.json does not allow:\n${[...found].join('\n')}`);
  };
}
