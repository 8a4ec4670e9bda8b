import { ANSWER_LIMIT_MS } from '@gondola/local-stack/wait-for';
import type { AppOptions } from '@gondola/service-kit/run/app-options';
import { Database } from '@gondola/service-kit/database/database';
import type { Logger } from '@gondola/service-kit/logging/logger';
import { appOptions } from '../../src/app.module.ts';
import type { Config } from '../../src/config.ts';
import { ingestEntities, ingestMigrations } from '../../src/database.schema.ts';

/**
 * For suites that read the inbox right after a 200: a busy machine must not make notifications go into the spool.
 * These are the longest times that a process can be given; a replica in the suite's process has no limits at all.
 */
export const PATIENT_INBOX = { INBOX_BUDGET_MS: '10000', REQUEST_TIMEOUT_MS: '300000' };

/** Options of a replica with `PATIENT_INBOX`; without it, those of the app. */
export function replicaOptions(config: Config, logger: Logger): AppOptions {
  if (config.ingest.inboxBudgetMs < Number(PATIENT_INBOX.INBOX_BUDGET_MS)) return appOptions(config, logger);
  const tables = { entities: ingestEntities, migrations: ingestMigrations };
  return {
    ...appOptions({ ...config, ingest: { ...config.ingest, inboxBudgetMs: ANSWER_LIMIT_MS } }, logger),
    database: new Database({ ...config.database, ...tables, logger, queryTimeoutMs: ANSWER_LIMIT_MS }),
  };
}
