import { wireProfileSchema } from '@gondola/platform-client/wire-profile';
import { TENANT_ID_PATTERN } from '@gondola/shared/topics/tenant-of';
import { z } from 'zod';
import { catalogSchema } from './catalog-schema.ts';

/** A secret in the tenants file: where it is, never what it is. */
export type SecretReference = { env: string } | { file: string };

/** What a secret may be made of. */
interface SecretForm {
  readonly pattern: RegExp;
  readonly problem: string;
}

/** Gives the secret, or what is wrong with the reference. */
export type SecretResolver = (
  reference: SecretReference,
) => { ok: true; text: string } | { ok: false; problem: string };

/** A section of a tenant that has secrets. Each app reads those of the sections that it uses, and no others. */
export type TenantSection = 'platform' | 'webhook' | 'uploads' | 'sftp';

/** Reads the secrets of each section; without a resolver they are only checked in form, and come out empty. */
export type SecretResolvers = Readonly<Partial<Record<TenantSection, SecretResolver>>>;

/** Shorter tokens can be guessed; ours are chosen by the operator, so there is no reason for one. */
const MIN_TOKEN_LENGTH = 24;
/**
 * Those that go into headers or come in them; what else a header may hold, proxies and clients read in different ways.
 */
const HEADER_SAFE: SecretForm = {
  pattern: /^[\x21-\x7e]+$/,
  problem: 'só ASCII visível, sem espaços / visible ASCII only, no spaces',
};
const ONE_LINE: SecretForm = { pattern: /^[^\p{Cc}]+$/u, problem: 'uma linha / one line' };
const MAX_WEBHOOK_TOKENS = 2;
const MAX_CONCURRENCY = 64;
const MAX_DAYS = 3_650;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** It also names a folder and stands in routes and keys, so it has no separators. */
const tenantId = z.string().regex(TENANT_ID_PATTERN, {
  error: 'letras, dígitos, _ e -, até 63 / letters, digits, _ and -, up to 63',
});

/**
 * The schema of the tenants file (contract, "Running it"). What it gives is `TenantConfig`; what it is given has
 * secrets as references, which the resolver of their section reads.
 */
export function tenantsSchema(resolvers: SecretResolvers) {
  const tenant = z.strictObject({
    id: tenantId,
    contractAccountId: z.guid(),
    language: z.enum(['pt-BR', 'en']).default('pt-BR').describe('Language of the texts in results'),
    platform: platformSchema(secretSchema(resolvers.platform)),
    webhook: z
      .strictObject({
        tokens: z
          .array(tokenSchema(resolvers.webhook))
          .max(MAX_WEBHOOK_TOKENS)
          .default([])
          .describe('Two while one replaces the other'),
        users: z.boolean().default(false).describe('Whether user notifications are published on their topic'),
        retention: retentionSchema.prefault({}),
      })
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
      concurrency: z.int().min(1).max(MAX_CONCURRENCY).default(4).describe('Calls at a time'),
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
/** Two while one key replaces the other, of each of two kinds. */
const MAX_HOST_KEYS = 4;
const MAX_SFTP_CONNECTIONS = 16;
const FOLDER_NAME = /^(?!\.{1,2}$)[\w.-]{1,100}$/;

/** How images go by SFTP (rule 34). Folder and names are the wire profile's. */
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
    connections: z.int().min(1).max(MAX_SFTP_CONNECTIONS).default(2).describe('Connections at a time, of one replica'),
  });
}

/** How long notifications are stored. A key without its body still detects a repeat, so it stays longer. */
const retentionSchema = z
  .strictObject({
    bodyDays: days(30).describe('Days until the content of a notification that was sent is erased'),
    keyDays: days(180).describe('Days until its key is, and a repeat would be a new one; bodyDays at least'),
  })
  .refine(({ bodyDays, keyDays }) => keyDays >= bodyDays, {
    path: ['keyDays'],
    error: 'pelo menos bodyDays / at least bodyDays',
  });

/** How long the personal data of orders are stored. The rest stays, so that no order is created again. */
const ordersRetentionSchema = z.strictObject({
  contentDays: days(180).describe('Days from the last status of an order until its personal data is erased'),
});

/** How long an order may stay where it is before somebody is called; null: for ever. */
const watchSchema = z.strictObject({
  notPreparedMs: limit(DAY_MS).describe('Approved, and its preparation not begun; in milliseconds, null for never'),
  pickingUnconfirmedMs: limit(1_800_000).describe('A picking sent, and no 1300'),
  pdfMissingMs: limit(HOUR_MS).describe('An invoice registered, and no PDF'),
  notInvoicedMs: limit(DAY_MS).describe(
    'An invoice registered with its PDF, or the order ready or shipped, and no 350',
  ),
  cancelUnfinishedMs: limit(DAY_MS).describe('In 750, and no 800'),
  refundUnfinishedMs: limit(7 * DAY_MS).describe('In 1100, and no 1200'),
  paidNoticeMs: z
    .int()
    .min(100)
    .max(HOUR_MS)
    .optional()
    .describe('On from 300 without one, until it is read; default: PAID_NOTICE_READ_MS'),
});

/** How orders are looked for whose notifications were lost. */
const recoverySchema = z.strictObject({
  callsPerMinute: z.int().min(1).max(6_000).default(60).describe('Readings of the platform in a minute, at most'),
  lookAgainMs: milliseconds(HOUR_MS).describe('Until an order that the platform did not know is looked for again'),
  lookups: z.int().min(1).max(100).default(3).describe('Readings of one number before it is given up'),
  scanEveryMs: limit(null).describe('Pause between two scans for gaps in the order numbers; null: no scans'),
  scanNumbers: z.int().min(1).max(100_000).default(1_000).describe('Newest order numbers that a scan looks through'),
  scanAhead: z.int().min(0).max(1_000).default(20).describe('Numbers above the newest known one that a scan looks for'),
});

function limit(standard: number | null) {
  return z.int().min(1).nullable().default(standard);
}

const ALLOWED_HOST = /^(https?:\/\/)?(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i;

/** Where content may be fetched from. */
const filesSchema = z.strictObject({
  allowedHosts: z
    .array(z.string().regex(ALLOWED_HOST, { error: 'host, *.host ou origem / host, *.host or origin' }))
    .default([])
    .describe('Hosts of content by url: cdn.example.com, *.example.com (https), or an origin such as http://host:8080'),
});

function days(standard: number) {
  return z.int().min(1).max(MAX_DAYS).default(standard);
}

// Spaces first, since zod's URL takes those around it off.
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
