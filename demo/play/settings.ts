// The demo merchant: its secrets and the token of the operations APIs (random, created at the first start, readable
// only by their owner), and its tenants file.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivately } from '@gondola/local-stack/private-files';
import type { ShopCredentials } from './sandbox-client.ts';

export interface Secrets {
  platformPassword: string;
  coreApiKey: string;
  webhookToken: string;
  uploadToken: string;
}

/** Sections of the merchant in the tenants file. */
export interface TenantSections extends Readonly<Record<string, object | undefined>> {
  readonly platform?: { readonly concurrency?: number; readonly baseUrl?: string };
}

/** The merchant in Gondola. */
export const TENANT = 'acme';
const CONTRACT_ACCOUNT_ID = '11111111-1111-4111-8111-111111111111';
const USERNAME = 'erp-one';
/** Minimum length that every app accepts (contract: HTTP). */
const LEAST_TOKEN_LENGTH = 24;
const TOKEN_BYTES = 32;

const secret = () => randomBytes(24).toString('base64url');

/** Secrets of a data folder: those of its first start, because the webhook registered then can never be changed. */
export async function secretsOf(dir: string): Promise<Secrets> {
  const file = join(dir, 'secrets.json');
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Secrets;
  } catch {
    const secrets = { platformPassword: secret(), coreApiKey: secret(), webhookToken: secret(), uploadToken: secret() };
    await mkdir(dir, { recursive: true });
    await writePrivately(file, JSON.stringify(secrets));
    return secrets;
  }
}

/** The token in `file`; a new one is written if the file is missing or its token is not valid. */
export async function operationsTokenIn(file: string): Promise<string> {
  const stored = (await readFile(file, 'utf8').catch(() => '')).trimEnd();
  if (stored.length >= LEAST_TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(stored)) return stored;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await writePrivately(file, `${token}\n`);
  return token;
}

export function shopCredentials(secrets: Secrets): ShopCredentials {
  return {
    contractAccountId: CONTRACT_ACCOUNT_ID,
    username: USERNAME,
    password: secrets.platformPassword,
    apiKey: secrets.coreApiKey,
  };
}

/** Variables that the tenants file's secrets refer to. */
export function secretVariables(secrets: Secrets): Record<string, string> {
  return {
    ACME_PLATFORM_PASSWORD: secrets.platformPassword,
    ACME_CORE_API_KEY: secrets.coreApiKey,
    ACME_WEBHOOK_TOKEN: secrets.webhookToken,
    ACME_UPLOAD_TOKEN: secrets.uploadToken,
  };
}

/**
 * Writes the tenants file with the demo's merchant; `catalog.defaults` holds the fields that the platform requires
 * and the ERP lacks. `sections` replace the demo's own sections; `platform` is merged into it.
 */
export async function writeTenantsFile(
  dir: string,
  platformUrl: string,
  { platform, ...sections }: TenantSections = {},
): Promise<string> {
  const file = join(dir, 'tenants.json');
  const tenant = {
    id: TENANT,
    contractAccountId: CONTRACT_ACCOUNT_ID,
    language: 'pt-BR',
    platform: {
      baseUrl: platformUrl,
      username: USERNAME,
      password: { env: 'ACME_PLATFORM_PASSWORD' },
      coreApiKey: { env: 'ACME_CORE_API_KEY' },
      concurrency: 4,
      ...platform,
    },
    webhook: { tokens: [{ env: 'ACME_WEBHOOK_TOKEN' }] },
    uploads: { tokens: [{ env: 'ACME_UPLOAD_TOKEN' }] },
    // The platform sends no notification for an accepted brand or category: no failure within this time is a
    // success.
    deadlines: { settleMs: 1_500 },
    catalog: {
      units: { UN: 'Un', KG: 'Kg' },
      defaults: {
        product: {
          commercialPolicyId: '22222222-2222-4222-8222-222222222222',
          punctuation: 10,
          slug: { from: 'nameAndReference' },
          shortDescription: { from: 'title' },
          longDescription: { from: 'title' },
        },
        sku: {
          weightForFreight: 1,
          heightForFreight: 10,
          widthForFreight: 10,
          lengthForFreight: 10,
          weightReal: 1,
          heightReal: 10,
          widthReal: 10,
          lengthReal: 10,
          arrivalDate: '2026-01-01',
          manufacturerCode: 'SEM-FABRICANTE',
        },
      },
    },
    ...sections,
  };
  await writePrivately(file, JSON.stringify({ tenants: [tenant] }, null, 2));
  return file;
}
