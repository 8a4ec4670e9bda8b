import { hostname as getHostname } from 'node:os';
import {
  collectProblems,
  ConfigError,
  configGroup,
  type ConfigProblem,
  type Environment,
  readConfig,
} from '@gondola/service-kit/config/config';
import { appShapes, requiredText, tenantsShape, wholeNumber } from '@gondola/service-kit/config/config-shapes';
import { loadTenants, type TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { reachOf } from '@gondola/shared/reachable-address';
import { tracingShape } from '@gondola/service-kit/config/tracing-config';

import { webhookPath } from './webhook-path.ts';

export const APP = 'webhook-ingest';

const MEBIBYTE = 1_048_576;

/**
 * `MAX_BODY_BYTES`: longest accepted body; the topics take 6 MiB. `MAX_UNANSWERED_BYTES`: total of all bodies that
 * are not answered yet. `REQUEST_TIMEOUT_MS`: time for a request to arrive completely. `INBOX_BUDGET_MS`: time for
 * PostgreSQL to store a body; together with a write to the disk it is less than a second (rule 4).
 */
const ingestShape = configGroup(
  {
    MAX_BODY_BYTES: wholeNumber({ min: 1_024, max: 5 * MEBIBYTE, default: 5_000_000 }),
    MAX_UNANSWERED_BYTES: wholeNumber({ min: 5 * MEBIBYTE, max: 4_096 * MEBIBYTE, default: 64 * MEBIBYTE }),
    REQUEST_TIMEOUT_MS: wholeNumber({ min: 100, max: 300_000, default: 15_000 }),
    INBOX_BUDGET_MS: wholeNumber({ min: 10, max: 10_000, default: 800 }),
  },
  (env) => ({
    maxBodyBytes: env.MAX_BODY_BYTES,
    maxUnansweredBytes: env.MAX_UNANSWERED_BYTES,
    requestTimeoutMs: env.REQUEST_TIMEOUT_MS,
    inboxBudgetMs: env.INBOX_BUDGET_MS,
  }),
);

/**
 * `SPOOL_DIR`: folder on a disk that outlives the replica; replicas may share it. `SPOOL_MAX_BYTES`: most disk space
 * that this replica's part of the spool takes.
 */
const spoolShape = configGroup(
  {
    SPOOL_DIR: requiredText('pasta / folder').default('spool'),
    SPOOL_MAX_BYTES: wholeNumber({ min: MEBIBYTE, max: 1_000_000 * MEBIBYTE, default: 1_024 * MEBIBYTE }),
  },
  (env) => ({ folder: env.SPOOL_DIR, maxBytes: env.SPOOL_MAX_BYTES }),
);

/** `RETENTION_EVERY_MS`: interval between two runs of the retention. */
const retentionShape = configGroup(
  { RETENTION_EVERY_MS: wholeNumber({ min: 10, max: 86_400_000, default: 60_000 }) },
  (env) => ({ everyMs: env.RETENTION_EVERY_MS }),
);

const GROUPS = {
  ...appShapes(APP, 8081),
  tracing: tracingShape(APP),
  ingest: ingestShape,
  spool: spoolShape,
  retention: retentionShape,
};
const NO_TOKENS = 'nenhuma loja tem webhook.tokens / no tenant has webhook.tokens';

const OWN_WEBHOOK = 'é o webhook deste aplicativo / is the webhook of this app itself';

export type Config = ReturnType<typeof loadConfig>;

/**
 * Loads the configuration from the environment and the tenants file. Throws one `ConfigError` with all problems of
 * both.
 */
export function loadConfig(env: Environment) {
  const problems: ConfigProblem[] = [];
  const config = collectProblems(problems, () => readConfig(GROUPS, env));
  const tenants = collectProblems(problems, () => {
    const { tenantsFile } = readConfig({ tenantsFile: tenantsShape }, env);
    return loadTenants(tenantsFile.file, env, ['webhook']);
  });
  if (tenants?.every(({ webhook }) => webhook.tokens.length === 0)) {
    problems.push({ where: 'TENANTS_FILE', problem: NO_TOKENS });
  }
  for (const [index, { webhook }] of (tenants ?? []).entries()) {
    const isOwn = config !== undefined && webhook.mirror !== null && isOwnWebhook(webhook.mirror.url, config.http.port);
    if (isOwn) problems.push({ where: `tenants[${index}].webhook.mirror.url`, problem: OWN_WEBHOOK });
  }
  if (config === undefined || tenants === undefined || problems.length > 0) throw new ConfigError(problems);
  const mirrors = new Map(tenants.flatMap(({ id, webhook: { mirror } }) => (mirror === null ? [] : [[id, mirror]])));
  const receivers = new Map(
    tenants.map(({ id, contractAccountId, webhook: { users } }) => {
      return [id, { id, contractAccountId, users, isMirrored: mirrors.has(id) }];
    }),
  );
  return Object.freeze({ ...config, tenants, receivers, mirrors, platformTenants: () => platformTenants(env) });
}

/** True for the address of this process's own webhook on this machine. */
function isOwnWebhook(text: string, ownPort: number): boolean {
  const { protocol, hostname, port, pathname } = new URL(text);
  const isHere = reachOf(hostname) === 'machine' || hostname === getHostname();
  return isHere && Number(port || (protocol === 'https:' ? 443 : 80)) === ownPort && webhookPath(pathname) !== null;
}

/**
 * Tenants with the secrets of their platform. Only the registration of a webhook needs the secrets, so they are
 * read at each registration, and a process that takes deliveries holds none. Throws `ConfigError`.
 */
function platformTenants(env: Environment): readonly TenantConfig[] {
  const { tenantsFile } = readConfig({ tenantsFile: tenantsShape }, env);
  return loadTenants(tenantsFile.file, env, ['platform']);
}
