import type { CustomTransportStrategy } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DynamicModule, Type } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { HttpConfig } from './config-shapes.ts';
import type { Database } from '../database/database.ts';
import type { DirectRoute } from '../http/direct-route.ts';
import type { ConnectionLimits } from '../http/http-connections.ts';
import type { Logger } from '../logging/logger.ts';
import type { OpenApiPart } from '../http/openapi-document.ts';
import type { Startable } from '../run/startable.ts';

// Declared here because every app imports this file; `traceRequests` sets these fields.
declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The request's own span, to be passed on in records and calls: a child of the caller's span, or the root of a
     * new trace.
     */
    traceparent: string;
    traceId: string;
  }
}

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
  /**
   * Paths below which the operations token is required, in addition to `/api`. If no token is set, they answer
   * direct calls from this machine.
   */
  guardedPrefixes?: readonly string[];
}

export interface Timings {
  /** Time limit of the whole shutdown; after it the process exits with code 1. */
  shutdownMs: number;
  retryFirstMs: number;
  retryMostMs: number;
}

export interface AppOptions {
  /** Name as in the contract, such as `webhook-ingest`. */
  name: string;
  module: DynamicModule | Type;
  /** Injected as a whole as `CONFIG`; its tenants as `TENANTS`. */
  config: { http: HttpConfig; tenants?: readonly { readonly id: string }[] };
  logger: Logger;
  /** Provided as `Database` everywhere; started first, closed last, part of readiness. */
  database?: Database;
  /**
   * True if the app can work without PostgreSQL for a while: readiness does not depend on it, and no failure to
   * connect ends the process, not even pending migrations or a wrong password; each is logged, and the connection
   * is retried. Default false.
   */
  databaseInBackground?: boolean;
  /** Started after the startables named by `@Starts`, before the consumers of `microservice`. */
  startables?: (app: NestFastifyApplication) => readonly Startable[];
  /**
   * The transport of consumers, started last and stopped first. Its `listen` reports a failure through its callback
   * and may then be called again; its `close` may be called twice.
   */
  microservice?: (app: NestFastifyApplication) => CustomTransportStrategy & Pick<Startable, 'waitsFor'>;
  httpOptions?: HttpOptions;
  /** The single route that bypasses Fastify, if the app has one with very many requests. */
  directRoute?: (app: NestFastifyApplication) => DirectRoute;
  /** Routes for `/api/openapi.json` that no Nest controller serves. */
  openApi?: readonly OpenApiPart[];
  /** Shorter times for tests. */
  timings?: Partial<Timings>;
}

export const DEFAULT_TIMINGS: Timings = { shutdownMs: 10_000, retryFirstMs: 500, retryMostMs: 15_000 };
