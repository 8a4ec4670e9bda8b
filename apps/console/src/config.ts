import {
  collectProblems,
  ConfigError,
  configGroup,
  type ConfigProblem,
  type Environment,
  readConfig,
} from '@gondola/service-kit/config/config';
import {
  databaseShape,
  httpShape,
  logShape,
  tenantsShape,
  wholeNumber,
} from '@gondola/service-kit/config/config-shapes';
import { loadTenants } from '@gondola/service-kit/config/tenants-file';
import { tracingShape } from '@gondola/service-kit/config/tracing-config';
import { z } from 'zod';
import type { AppName } from './operations-apis/app-name.ts';
import { loadOperators, NO_OPERATORS } from './operators/operators-file.adapter.ts';

export const APP = 'console';

const LEAST_SECRET_LENGTH = 24;

const address = () => z.url({ protocol: /^https?$/, error: 'esperado / expected: http://host:8081' });

const baseUrl = (port: number) =>
  address()
    .default(`http://127.0.0.1:${port}`)
    .transform((text) => text.replace(/\/+$/, ''));

/** Base URLs of the operations APIs, without a trailing slash; the variables are those of the command line. */
const appsShape = configGroup(
  {
    GONDOLA_WEBHOOK_INGEST_URL: baseUrl(8081),
    GONDOLA_FILE_GATEWAY_URL: baseUrl(8082),
    GONDOLA_ORDER_COMMAND_HANDLER_URL: baseUrl(8083),
    GONDOLA_CATALOG_PUBLISHER_URL: baseUrl(8084),
  },
  (env): Record<AppName, string> => ({
    'webhook-ingest': env.GONDOLA_WEBHOOK_INGEST_URL,
    'file-gateway': env.GONDOLA_FILE_GATEWAY_URL,
    'order-command-handler': env.GONDOLA_ORDER_COMMAND_HANDLER_URL,
    'catalog-publisher': env.GONDOLA_CATALOG_PUBLISHER_URL,
  }),
);

/** Limits of a passed call. */
const callsShape = configGroup(
  {
    APP_TIMEOUT_MS: wholeNumber({ min: 100, max: 600_000, default: 30_000 }),
    APP_ANSWER_MAX_BYTES: wholeNumber({ min: 1_024, max: 1_000_000_000, default: 16_777_216 }),
  },
  (env) => ({ timeoutMs: env.APP_TIMEOUT_MS, answerMaxBytes: env.APP_ANSWER_MAX_BYTES }),
);

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/** An address by https, or by http on this machine: others would read and change what passes. */
const browserAddress = (example: string) =>
  z
    .url({ protocol: /^https?$/, error: `esperado / expected: ${example}` })
    .refine(
      (text) => new URL(text).protocol === 'https:' || LOOPBACK.test(new URL(text).hostname),
      'https, a não ser nesta máquina / https, except on this machine',
    );

/** Address at which browsers reach the console, and the ways to sign in. */
const consoleShape = configGroup(
  {
    CONSOLE_URL: browserAddress('https://host').optional(),
    CONSOLE_LINK_SECRET: z
      .string()
      .min(LEAST_SECRET_LENGTH, `${LEAST_SECRET_LENGTH} caracteres ou mais / ${LEAST_SECRET_LENGTH} characters or more`)
      .optional(),
    CONSOLE_USERS_FILE: z.string().optional(),
  },
  (env) => ({
    /** Origin, such as `https://console.example.com`; null: this machine, at the port that it listens on. */
    origin: env.CONSOLE_URL === undefined ? null : new URL(env.CONSOLE_URL).origin,
    linkSecret: env.CONSOLE_LINK_SECRET ?? null,
    usersFile: env.CONSOLE_USERS_FILE ?? null,
  }),
);

const OIDC_VARIABLES = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

/** OpenID Connect; null without it. */
const oidcShape = configGroup(
  {
    OIDC_ISSUER: browserAddress('https://login.example.com').optional(),
    OIDC_CLIENT_ID: z.string().optional(),
    OIDC_CLIENT_SECRET: z.string().optional(),
    OIDC_SCOPE: z
      .string()
      .regex(/(^| )openid( |$)/, 'contém / contains: openid')
      .default('openid profile email groups'),
    OIDC_GROUPS_CLAIM: z.string().default('groups'),
  },
  (env) =>
    env.OIDC_ISSUER === undefined || env.OIDC_CLIENT_ID === undefined || env.OIDC_CLIENT_SECRET === undefined
      ? null
      : {
          issuer: env.OIDC_ISSUER,
          clientId: env.OIDC_CLIENT_ID,
          clientSecret: env.OIDC_CLIENT_SECRET,
          scope: env.OIDC_SCOPE,
          groupsClaim: env.OIDC_GROUPS_CLAIM,
        },
  (values) => {
    const missing = OIDC_VARIABLES.filter((name) => values[name] === undefined);
    if (missing.length === 0 || missing.length === OIDC_VARIABLES.length) return [];
    return missing.map((where) => ({ where, problem: 'as três OIDC_* ou nenhuma / all three OIDC_* or none' }));
  },
);

const GROUPS = {
  http: httpShape(8085),
  database: databaseShape(APP),
  log: logShape,
  tracing: tracingShape(APP),
  tenantsFile: tenantsShape,
  apps: appsShape,
  calls: callsShape,
  console: consoleShape,
  oidc: oidcShape,
};

export type Config = ReturnType<typeof loadConfig>;

/** Loads the configuration from the environment. Throws one `ConfigError` with all problems. */
export function loadConfig(env: Environment) {
  const problems: ConfigProblem[] = [];
  const config = collectProblems(problems, () => readConfig(GROUPS, env));
  const file = env['TENANTS_FILE'] ?? '';
  const tenants = file === '' ? [] : (collectProblems(problems, () => loadTenants(file, env, [])) ?? []);
  const operators = collectProblems(problems, () =>
    loadOperators({ file: env['CONSOLE_USERS_FILE'] ?? '', env, tenants: tenants.map(({ id }) => id) }),
  );
  if (config !== undefined) problems.push(...missingIn(config));
  if (config === undefined || problems.length > 0) throw new ConfigError(problems);
  return { ...config, tenants, operators: operators ?? NO_OPERATORS };
}

/** Settings that need each other. */
function missingIn({
  http,
  console: { origin, linkSecret, usersFile },
  oidc,
}: {
  readonly http: { readonly host: string; readonly operationsToken: string | null };
  readonly console: {
    readonly origin: string | null;
    readonly linkSecret: string | null;
    readonly usersFile: string | null;
  };
  readonly oidc: object | null;
}): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (http.operationsToken === null) {
    problems.push({
      where: 'OPERATIONS_TOKEN',
      problem:
        'falta; o console chama as APIs de operações com ele / missing; the console calls the operations APIs with it',
    });
  }
  if (origin === null && (oidc !== null || !LOOPBACK.test(http.host))) {
    problems.push({
      where: 'CONSOLE_URL',
      problem:
        'falta: o endereço do console para os navegadores, como https://console.example.com / missing: the console’s address for browsers, such as https://console.example.com',
    });
  }
  if (linkSecret === null && usersFile === null && oidc === null) {
    problems.push({
      where: 'CONSOLE_USERS_FILE',
      problem:
        'ninguém poderia entrar: defina este, OIDC_ISSUER ou CONSOLE_LINK_SECRET / nobody could sign in: set this, OIDC_ISSUER or CONSOLE_LINK_SECRET',
    });
  }
  if (oidc !== null && usersFile === null) {
    problems.push({
      where: 'CONSOLE_USERS_FILE',
      problem: 'falta: o papel de cada grupo do OpenID Connect / missing: the role of each group of OpenID Connect',
    });
  }
  return problems;
}
