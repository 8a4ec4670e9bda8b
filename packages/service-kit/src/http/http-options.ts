import type { FastifyInstance } from 'fastify';
import type { ConnectionLimits } from './http-connections.ts';

export interface HttpOptions {
  /** Larger bodies are answered with 413. Default 1 MiB. */
  bodyLimitBytes?: number;
  /** False if the app reads bodies itself, with a content type parser added in `prepare`. Default true. */
  bodyParser?: boolean;
  /**
   * Time within which a whole request, including its body, must have arrived; a slower one is answered with 408 and
   * disconnected. Default 30,000.
   */
  requestTimeoutMs?: number;
  /** Limits of one connection that differ from the defaults (tests). */
  connectionLimits?: Partial<ConnectionLimits>;
  /** Called before any route exists, to add content type parsers, hooks and plugins. */
  prepare?: (fastify: FastifyInstance) => void | Promise<void>;
}
