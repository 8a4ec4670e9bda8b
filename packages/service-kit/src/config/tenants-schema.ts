import { wireProfileSchema } from '@gondola/platform-client/wire-profile';
import { type Receiver, receiverProblem, type ReceiverProblem } from '@gondola/shared/receiver-address';
import { TENANT_ID_PATTERN } from '@gondola/shared/topics/tenant-of';
import { z } from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@gondola/shared/durations';
import { catalogSchema } from './catalog-schema.ts';

/** Reference to a secret in the tenants file: its place, never its value. */
export type SecretReference = { env: string } | { file: string };

/** Characters and length that a secret may have. */
interface SecretForm {
  readonly pattern: RegExp;
  readonly problem: string;
}

/** Returns the secret, or the problem of the reference. */
export type SecretResolver = (
  reference: SecretReference,
) => { ok: true; text: string } | { ok: false; problem: string };

/** A section of a tenant that has secrets. Each app reads only the secrets of the sections that it uses. */
export type TenantSection = 'platform' | 'webhook' | 'uploads' | 'sftp';

/**
 * Reads the secrets of each section; without a resolver, references are only checked in form, and the secret is
 * empty.
 */
export type SecretResolvers = Readonly<Partial<Record<TenantSection, SecretResolver>>>;

/** Shorter tokens can be guessed; the operator chooses these tokens, so a long one is always possible. */
const MIN_TOKEN_LENGTH = 24;
/**
 * Form of secrets that are sent or received in headers: proxies and clients disagree on other characters in
 * headers.
 */
const HEADER_SAFE: SecretForm = {
  pattern: /^[\x21-\x7e]+$/,
  problem: 'só ASCII visível, sem espaços / visible ASCII only, no spaces',
};
const ONE_LINE: SecretForm = { pattern: /^[^\p{Cc}]+$/u, problem: 'uma linha / one line' };
const MAX_WEBHOOK_TOKENS = 2;
const MAX_CONCURRENCY = 64;
const MAX_DAYS = 3_650;

/** The id is also a folder name and part of routes and keys, so it contains no separators. */
const tenantId = z.string().regex(TENANT_ID_PATTERN, {
  error: 'letras, dígitos, _ e -, até 63 / letters, digits, _ and -, up to 63',
});

/**
 * Schema of the tenants file (contract, "Running it"). The output is `TenantConfig`; the input has references
 * instead of secrets, which the resolver of their section reads.
 */
export function tenantsSchema(resolvers: SecretResolvers) {
  const tenant = z.strictObject({
    id: tenantId,
    contractAccountId: z.guid(),
    mode: z
      .enum(['live', 'shadow'])
      .default('live')
      .describe('shadow: decides and publishes beside another connector, and changes nothing at the platform'),
    language: z.enum(['pt-BR', 'en']).default('pt-BR').describe('Language of the texts in results'),
    platform: platformSchema(secretSchema(resolvers.platform)),
    webhook: z
      .strictObject({
        tokens: z
          .array(tokenSchema(resolvers.webhook))
          .max(MAX_WEBHOOK_TOKENS)
          .default([])
          .describe('One token, or two while one replaces the other'),
        users: z.boolean().default(false).describe('true publishes user notifications on their topic'),
        retention: retentionSchema.prefault({}),
        mirror: mirrorSchema(resolvers.webhook)
          .nullable()
          .default(null)
          .describe('Another receiver, to which each accepted notification is passed on; null: none'),
      })
      .refine(({ mirror, retention }) => mirror === null || mirror.maxAgeMs <= retention.bodyDays * DAY_MS, {
        path: ['mirror', 'maxAgeMs'],
        error: 'no máximo retention.bodyDays / at most retention.bodyDays',
      })
      .transform(({ mirror, ...webhook }) => ({
        ...webhook,
        mirror: mirror === null ? null : { ...mirror, token: mirror.token ?? webhook.tokens[0] ?? '' },
      }))
      .prefault({}),
    uploads: z.strictObject({ tokens: z.array(tokenSchema(resolvers.uploads)).default([]) }).prefault({}),
    sftp: sftpSchema(secretSchema(resolvers.sftp, ONE_LINE))
      .nullable()
      .default(null)
      .describe("The platform's SFTP server for images; null: images go by HTTP"),
    files: filesSchema.prefault({}),
    deadlines: z
      .strictObject({
        commandMs: milliseconds(900_000),
        invoiceMs: milliseconds(HOUR_MS),
        referencesMs: milliseconds(DAY_MS),
        settleMs: milliseconds(30_000),
      })
      .prefault({}),
    orders: z.strictObject({ retention: ordersRetentionSchema.prefault({}) }).prefault({}),
    watch: watchSchema.prefault({}),
    recovery: recoverySchema.prefault({}),
    audit: auditSchema.prefault({}),
    catalog: catalogSchema.prefault({}),
  });
  return z.strictObject({ tenants: z.array(tenant).min(1) });
}

function platformSchema(secret: ReturnType<typeof secretSchema>) {
  return z
    .strictObject({
      baseUrl: baseUrl.describe('Integration API, without /v1'),
      coreBaseUrl: baseUrl.optional().describe('Core service; default: baseUrl'),
      username: z
        .string()
        .min(1)
        .regex(/^[^:]*$/, { error: 'sem dois-pontos / without a colon' }),
      password: secret,
      coreApiKey: secret.optional(),
      concurrency: z.int().min(1).max(MAX_CONCURRENCY).default(4).describe('Maximum number of concurrent calls'),
      profile: wireProfileSchema.prefault({}).describe('Overrides of the wire profile, docs/wire-profile.md'),
    })
    .transform(({ coreBaseUrl, coreApiKey, ...platform }) => ({
      ...platform,
      coreBaseUrl: coreBaseUrl ?? platform.baseUrl,
      coreApiKey: coreApiKey ?? null,
    }));
}

const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9.:-]*[a-z0-9])?$/i;
const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/;
/** Two kinds of key, and two of each while one replaces the other. */
const MAX_HOST_KEYS = 4;
const MAX_SFTP_CONNECTIONS = 16;
const FOLDER_NAME = /^(?!\.{1,2}$)[\w.-]{1,100}$/;

/** Transfer of images by SFTP (rule 34). The wire profile names folder and files. */
function sftpSchema(secret: ReturnType<typeof secretSchema>) {
  return z.strictObject({
    host: z.string().regex(HOST, { error: 'nome ou endereço, sem porta / name or address, without port' }),
    port: z.int().min(1).max(65_535).default(22),
    username: z.string().min(1).max(255),
    password: secret,
    hostKeys: z
      .array(z.string().regex(FINGERPRINT, { error: 'SHA256:… de / of ssh-keygen -l' }))
      .min(1)
      .max(MAX_HOST_KEYS)
      .describe('Fingerprints of the keys that the server may have, as ssh-keygen -l writes them'),
    contractFolder: z
      .string()
      .regex(FOLDER_NAME, { error: 'nome de uma pasta / name of one folder' })
      .describe("First folder of the server's paths"),
    connections: z
      .int()
      .min(1)
      .max(MAX_SFTP_CONNECTIONS)
      .default(2)
      .describe('Maximum number of concurrent connections of one replica'),
  });
}

/**
 * Times for which notifications are stored. A key without its body still detects repeats, so it is stored longer.
 */
const retentionSchema = z
  .strictObject({
    bodyDays: days(30).describe('Days until the content of a published notification is erased'),
    keyDays: days(180).describe(
      'Days until the key of a notification is deleted, after which a repeat counts as new; at least bodyDays',
    ),
  })
  .refine(({ bodyDays, keyDays }) => keyDays >= bodyDays, {
    path: ['keyDays'],
    error: 'pelo menos bodyDays / at least bodyDays',
  });

const RECEIVER_PROBLEMS: Readonly<Record<ReceiverProblem, string>> = {
  malformed: 'http(s)://…',
  'user-info': 'sem usuário nem senha / without user and password',
  'not-https': 'https, ou private: true na própria rede / https, or private: true in its own network',
  'not-public': 'um endereço da internet, ou private: true / an address of the internet, or private: true',
  'not-private': 'um endereço privado, que não seja de metadados / a private address, and none of metadata',
};

/** Another receiver of the notifications, such as the connector that Gondola replaces. */
function mirrorSchema(resolve: SecretResolver | undefined) {
  return z
    .strictObject({
      url: z.string().max(2_000).describe('Where the notifications are passed on to'),
      token: secretSchema(resolve)
        .optional()
        .describe('Sent as Authorization: Bearer; default: the first of webhook.tokens'),
      private: z
        .boolean()
        .default(false)
        .describe('true: it is on this machine or in a private network, and http is allowed, too'),
      maxWaiting: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(100_000)
        .describe('Notifications that wait at most; of more, the oldest are dropped'),
      maxAgeMs: z
        .int()
        .min(1_000)
        .default(DAY_MS)
        .describe('Milliseconds for which a notification waits at most; then it is dropped. At most bodyDays'),
    })
    .refine((mirror) => receiverProblem(mirror) === null, {
      path: ['url'],
      // Also beside mistakes in other fields.
      when: ({ value }) => typeof (value as { url?: unknown }).url === 'string',
      error: ({ input }) => RECEIVER_PROBLEMS[receiverProblem(input as Receiver) ?? 'malformed'],
    });
}

/** Time for which personal data of orders are stored. All other data stay, so that no order is created again. */
const ordersRetentionSchema = z.strictObject({
  contentDays: days(180).describe('Days from the last status of an order until its personal data is erased'),
});

/** Time for which an order may stay in a state before it is reported; null: for ever. */
const watchSchema = z.strictObject({
  notPreparedMs: limit(DAY_MS).describe(
    'Milliseconds in which the preparation of an approved order has to begin; null: no limit',
  ),
  pickingUnconfirmedMs: limit(1_800_000).describe('Milliseconds in which a 1300 has to follow a reported picking'),
  pdfMissingMs: limit(HOUR_MS).describe('Milliseconds in which the PDF has to follow a registered invoice'),
  notInvoicedMs: limit(DAY_MS).describe(
    'An invoice registered with its PDF, or the order ready or shipped, and no 350',
  ),
  cancelUnfinishedMs: limit(DAY_MS).describe('Milliseconds in which an 800 has to follow a 750'),
  refundUnfinishedMs: limit(7 * DAY_MS).describe('Milliseconds in which a 1200 has to follow a 1100'),
  paidNoticeMs: z
    .int()
    .min(100)
    .max(HOUR_MS)
    .optional()
    .describe('On from 300 without one, until it is read; default: PAID_NOTICE_READ_MS'),
});

/** Search for orders whose notifications were lost. */
const recoverySchema = z.strictObject({
  callsPerMinute: z
    .int()
    .min(1)
    .max(6_000)
    .default(60)
    .describe('Maximum number of reads from the platform per minute, those of scans, open orders and retries together'),
  lookAgainMs: milliseconds(HOUR_MS).describe(
    'Milliseconds until an order that the platform did not know is read again',
  ),
  lookups: z
    .int()
    .min(1)
    .max(100)
    .default(3)
    .describe('Number of reads of an order number before the search for it ends'),
  scanEveryMs: limit(5 * MINUTE_MS).describe(
    'Milliseconds between two scans for gaps in the order numbers; null: no scans',
  ),
  quietMs: limit(10 * MINUTE_MS).describe(
    'Milliseconds without a notification until an open order is read, doubled with each read; null: never',
  ),
  quietMaxMs: milliseconds(6 * HOUR_MS).describe('Longest time between two reads of an open order, in milliseconds'),
  scanNumbers: z
    .int()
    .min(1)
    .max(100_000)
    .default(1_000)
    .describe('Number of newest order numbers that a scan examines'),
  scanAhead: z
    .int()
    .min(0)
    .max(1_000)
    .default(20)
    .describe('Number of order numbers above the newest known one that a scan searches for'),
});

/** Comparison of a month's orders with the shop. */
const auditSchema = z.strictObject({
  readsPerMinute: z
    .int()
    .min(1)
    .max(60_000)
    .default(60)
    .describe('Maximum number of reads from the platform per minute, on all replicas together'),
});

function limit(standard: number | null) {
  return z.int().min(1).nullable().default(standard);
}

const ALLOWED_HOST = /^(https?:\/\/)?(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i;

/** Hosts from which content may be fetched. */
const filesSchema = z.strictObject({
  allowedHosts: z
    .array(z.string().regex(ALLOWED_HOST, { error: 'host, *.host ou origem / host, *.host or origin' }))
    .default([])
    .describe('Hosts of content by url: cdn.example.com, *.example.com (https), or an origin such as http://host:8080'),
});

function days(standard: number) {
  return z.int().min(1).max(MAX_DAYS).default(standard);
}

// Checks for spaces first, since zod's URL trims them.
const baseUrl = z
  .string()
  .check(z.regex(/^\S*$/, { error: 'sem espaços / no spaces', abort: true }))
  .check(z.url({ protocol: /^https?$/, error: 'http(s)://…' }))
  .transform((text) => text.replace(/\/+$/, ''))
  .refine((text) => !/\/v1$/i.test(text) && !/[?#@]/.test(text), {
    error: 'sem /v1, parâmetros ou senha / without /v1, parameters or password',
  });

function milliseconds(standard: number) {
  return z.int().min(1).default(standard).describe('Milliseconds');
}

function tokenSchema(resolve: SecretResolver | undefined) {
  return secretSchema(resolve).refine((text) => resolve === undefined || text.length >= MIN_TOKEN_LENGTH, {
    error: `pelo menos ${MIN_TOKEN_LENGTH} caracteres / at least ${MIN_TOKEN_LENGTH} characters`,
  });
}

function secretSchema(resolve: SecretResolver | undefined, { pattern, problem }: SecretForm = HEADER_SAFE) {
  const error = 'use { env: NOME } ou { file: CAMINHO }, nunca o próprio segredo / never the secret itself';
  const reference = z.union([z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })], {
    error,
  });
  return reference.transform((value, context) => {
    if (resolve === undefined) return '';
    const resolved = resolve(value);
    if (resolved.ok && pattern.test(resolved.text)) return resolved.text;
    const message = resolved.ok ? problem : resolved.problem;
    context.issues.push({ code: 'custom', message, input: null });
    return z.NEVER;
  });
}
