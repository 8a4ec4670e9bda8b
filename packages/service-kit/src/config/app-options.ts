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

// Here, because every app imports this file, and sees what `traceRequests` sets.
declare module 'fastify' {
  interface FastifyRequest {
    /** The request's own span, to be handed on in records and calls: a child of the caller's, or of a new trace. */
    traceparent: string;
    traceId: string;
  }
}

export interface HttpOptions {
  /** Larger bodies are answered 413. Default 1 MiB. */
  bodyLimitBytes?: number;
  /** False where the app reads bodies itself, by a content type parser added in `prepare`. Default true. */
  bodyParser?: boolean;
  /**
   * Until a whole request, its body included, must have arrived; a slower one is answered 408 and cut off. Default
   * 30,000.
   */
  requestTimeoutMs?: number;
  /** Limits of one connection, where the defaults do not fit (tests). */
  connectionLimits?: Partial<ConnectionLimits>;
  /** Called before any route exists: content type parsers, hooks, plugins. */
  prepare?: (fastify: FastifyInstance) => void | Promise<void>;
  /**
   * Paths below which the operations token is needed, beside `/api`; without one, they answer direct calls from this
   * machine.
   */
  guardedPrefixes?: readonly string[];
}

export interface Timings {
  /** The whole shutdown; after that the process ends with code 1. */
  shutdownMs: number;
  retryFirstMs: number;
  retryMostMs: number;
}

export interface AppOptions {
  /** As in the contract, such as `webhook-ingest`. */
  name: string;
  module: DynamicModule | Type;
  /** Injected whole as `CONFIG`, its tenants as `TENANTS`. */
  config: { http: HttpConfig; tenants?: readonly { readonly id: string }[] };
  logger: Logger;
  /** Provided as `Database` everywhere, started first, closed last, checked for readiness. */
  database?: Database;
  /**
   * True where the app works without PostgreSQL for a while: readiness does not depend on it, and no failure to connect
   * ends the process, not pending migrations nor a wrong password either; each is logged and tried again. Default
   * false.
   */
  databaseInBackground?: boolean;
  /** Started after what modules name by `@Starts`, before the consumers of `microservice`. */
  startables?: (app: NestFastifyApplication) => readonly Startable[];
  /**
   * The transport of consumers, started last and stopped first. Its `listen` reports failure by its callback and may be
   * called again then; its `close` may be called twice.
   */
  microservice?: (app: NestFastifyApplication) => CustomTransportStrategy & Pick<Startable, 'waitsFor'>;
  httpOptions?: HttpOptions;
  /** The one route that bypasses Fastify, if the app has one that hot. */
  directRoute?: (app: NestFastifyApplication) => DirectRoute;
  /** For `/api/openapi.json`: routes that no Nest controller serves. */
  openApi?: readonly OpenApiPart[];
  /** Shorter ones for tests. */
  timings?: Partial<Timings>;
}

export const DEFAULT_TIMINGS: Timings = { shutdownMs: 10_000, retryFirstMs: 500, retryMostMs: 15_000 };
