import type { AppOptions } from '@gondola/service-kit/config/app-options';
import { Database } from '@gondola/service-kit/database/database';
import type { Logger } from '@gondola/service-kit/logging/logger';
import { AppModule } from './app.module.ts';
import { CoreWorker } from './application/core.worker.ts';
import { FaultBoard } from './application/fault-board.ts';
import { FileStore } from './application/file-store.ts';
import { HistoryKeeper } from './application/history.keeper.ts';
import { Ids } from './application/ids.ts';
import { SwitchBoard } from './application/switch-board.ts';
import { WebhookSender } from './application/webhook.sender.ts';
import { APP_NAME, type SandboxConfig } from './config.ts';
import { sandboxEntities, sandboxMigrations } from './database.schema.ts';
import { DEFAULT_BEHAVIOUR, type Behaviour } from './domain/behaviour.ts';
import { prepareHttp } from './inbound/http/prepare-http.ts';
import { ADMIN_OPENAPI } from './inbound/openapi/admin.openapi.ts';
import { PLATFORM_OPENAPI } from './inbound/openapi/platform.openapi.ts';

/** A batch of products may be large; the document shows no limit. */
const BODY_LIMIT_BYTES = 32 * 1_048_576;
const POOL_SIZE = 20;

/** The sandbox for `runApp`, and for tests in their own process. */
export function appOptions(config: SandboxConfig, logger: Logger): AppOptions {
  const { url, schema, runMigrations } = config.database;
  // HTTP is prepared before there is anything to ask.
  let switches: SwitchBoard | undefined;
  const behaviour = (): Behaviour => switches?.behaviour ?? DEFAULT_BEHAVIOUR;
  const database = new Database({
    url,
    schema,
    runMigrations,
    entities: sandboxEntities,
    migrations: sandboxMigrations,
    poolSize: POOL_SIZE,
    jsonAsText: true,
    logger,
  });
  return {
    name: APP_NAME,
    module: AppModule.with(config.settings),
    config,
    logger,
    database,
    startables: (app) => {
      const board = app.get(SwitchBoard);
      switches = board;
      return [
        app.get(Ids),
        board,
        app.get(FaultBoard),
        app.get(FileStore),
        app.get(CoreWorker),
        app.get(WebhookSender),
        app.get(HistoryKeeper),
      ];
    },
    openApi: [ADMIN_OPENAPI, PLATFORM_OPENAPI],
    httpOptions: {
      bodyLimitBytes: BODY_LIMIT_BYTES,
      bodyParser: false,
      guardedPrefixes: ['/admin'],
      prepare: (fastify) => prepareHttp(fastify, { database, logger, behaviour }),
    },
  };
}
