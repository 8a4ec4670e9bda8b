import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from './error-body.ts';
import { BodyBrokenOffError, BodyBudget, readBody } from './read-body.ts';

/** Limits of the bodies of senders that are not known. */
export interface StrangerLimits {
  /** Longest body. A longer one, or one without a length, is read only from a known sender. */
  readonly bodyBytes: number;
  /** Time for a body; then its connection is closed. */
  readonly bodyMs: number;
  /** All their unanswered bodies together; above it the longest are given up. */
  readonly allBytes: number;
}

export const STRANGER_LIMITS: StrangerLimits = { bodyBytes: 16_384, bodyMs: 15_000, allBytes: 4_194_304 };

interface KnownLimits {
  readonly bodyBytes: number;
  readonly allBytes: number;
}

/**
 * Bodies of an app with a public port. Its callers send short bodies before anybody knows them, such as a name and
 * its password, and long ones once they are known. A short body costs nobody a look into the database.
 */
export class StrangerBodies {
  readonly #isKnown: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;
  readonly #known: KnownLimits;
  readonly #strange: StrangerLimits;
  readonly #budgets: { readonly known: BodyBudget; readonly strange: BodyBudget };
  readonly #knownSenders = new WeakSet<FastifyRequest>();
  readonly #answers = new WeakMap<FastifyRequest, ServerResponse>();

  constructor(
    isKnown: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>,
    known: KnownLimits,
    strange: StrangerLimits = STRANGER_LIMITS,
  ) {
    this.#isKnown = isKnown;
    this.#known = known;
    this.#strange = strange;
    this.#budgets = { known: new BodyBudget(known.allBytes), strange: new BodyBudget(strange.allBytes, 0) };
  }

  /** Refuses long bodies of strangers before they are read, whatever their content type is. */
  guard(fastify: FastifyInstance): void {
    fastify.addHook('preParsing', async (request, reply) => {
      this.#answers.set(request, reply.raw);
      if (this.#isShort(request)) return;
      if (await this.#isKnown(request, reply)) this.#knownSenders.add(request);
      else await reply.status(401).send(errorBody(401));
    });
  }

  /** A whole body. Throws an `HttpException` with 413 or 503, or closes the connection of a stranger that is slow. */
  async read(request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
    const isKnown = this.#knownSenders.has(request);
    const budget = isKnown ? this.#budgets.known : this.#budgets.strange;
    const limit = isKnown ? this.#known.bodyBytes : this.#strange.bodyBytes;
    const slow = isKnown ? undefined : setTimeout(() => payload.destroy(), this.#strange.bodyMs);
    try {
      const body = await readBody(payload, { limit, budget });
      if (body === 'too-long') throw refusal(413);
      if (body === 'no-room') throw refusal(503);
      const answer = this.#answers.get(request);
      if (answer === undefined || answer.closed) budget.release(body.length);
      else answer.once('close', () => budget.release(body.length));
      return body;
    } catch (error) {
      throw error instanceof BodyBrokenOffError ? refusal(400) : error;
    } finally {
      clearTimeout(slow);
    }
  }

  #isShort({ headers }: FastifyRequest): boolean {
    const { 'content-length': length, 'transfer-encoding': encoding } = headers;
    return encoding === undefined && Number(length ?? 0) <= this.#strange.bodyBytes;
  }
}

function refusal(status: number): HttpException {
  return new HttpException(errorBody(status).error, status);
}
