import type { CustomTransportStrategy } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DynamicModule, Type } from '@nestjs/common';
import type { HttpConfig } from '../config/config-shapes.ts';
import type { TracingConfig } from '../config/tracing-config.ts';
import type { Database } from '../database/database.ts';
import type { DirectRoute } from '../http/direct-route.ts';
import type { HttpOptions } from '../http/http-options.ts';
import type { Logger } from '../logging/logger.ts';
import type { OpenApiPart } from '../http/openapi-document.ts';
import type { Startable } from './startable.ts';

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
  /** Injected as a whole as `CONFIG`; its tenants as `TENANTS`. `tracing` null or absent: no traces. */
  config: { http: HttpConfig; tenants?: readonly { readonly id: string }[]; tracing?: TracingConfig | null };
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
