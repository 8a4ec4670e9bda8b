import { join } from 'node:path';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger, type Logger } from '@gondola/service-kit/logging/logger';
import type { AppOptions } from '@gondola/service-kit/run/app-options';
import { Module } from '@nestjs/common';
import { ActionsModule } from './actions/actions.module.ts';
import { APP, type Config } from './config.ts';
import { consoleEntities, consoleMigrations } from './database.schema.ts';
import { OverviewModule } from './overview/overview.module.ts';
import { prepareHttp } from './page/prepare-http.adapter.ts';
import { FILE_MS } from './passing/pass-call.service.ts';
import { passingOpenApi } from './passing/passing.dto.ts';
import { PassingModule } from './passing/passing.module.ts';
import { RetentionModule } from './retention/retention.module.ts';
import { SessionListModule } from './session-list/session-list.module.ts';
import { sessionOpenApi } from './sessions/session-answers.dto.ts';
import { SignInModule } from './sign-in/sign-in.module.ts';

/** Where the build puts the page, from `src` as from `dist`. */
const PAGE_FOLDER = join(import.meta.dirname, '../dist/web');

/**
 * page → browser → sign-in → sessions ┐
 *                → passing, overview  ├→ operators: who may see and act on which tenant
 *                → actions            │
 *                → session list       ┘
 * passing, session list → actions: stored before the call → operations APIs of the apps
 */
@Module({
  imports: [SignInModule, OverviewModule, PassingModule, ActionsModule, RetentionModule, SessionListModule],
})
class AppModule {}

/** Modules, start order and HTTP options of the app. */
export function appOptions(
  config: Config,
  logger: Logger = createLogger({ app: APP, level: config.log.level }),
  folder: string = PAGE_FOLDER,
): AppOptions {
  const isSecure = config.console.origin?.startsWith('https:') ?? false;
  return {
    name: APP,
    module: AppModule,
    config,
    logger,
    openApi: [sessionOpenApi, passingOpenApi],
    database: new Database({ ...config.database, entities: consoleEntities, migrations: consoleMigrations, logger }),
    httpOptions: {
      bodyParser: false,
      // A file over a slow line takes minutes.
      requestTimeoutMs: FILE_MS,
      prepare: (fastify) => prepareHttp(fastify, { folder, isSecure }),
    },
  };
}
