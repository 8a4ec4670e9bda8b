// The demo merchant: its secrets (random, made at the first start, readable for the owner only) and its tenants file.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShopCredentials } from './sandbox-client.ts';

export interface Secrets {
  platformPassword: string;
  coreApiKey: string;
  webhookToken: string;
  uploadToken: string;
}

const CONTRACT_ACCOUNT_ID = '11111111-1111-4111-8111-111111111111';
const USERNAME = 'erp-one';

const secret = () => randomBytes(24).toString('base64url');

/**
 * The secrets of a data folder: those made at its first start, since the webhook registered then can never be changed.
 */
export async function secretsOf(dir: string): Promise<Secrets> {
  const file = join(dir, 'secrets.json');
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Secrets;
  } catch {
    const secrets = { platformPassword: secret(), coreApiKey: secret(), webhookToken: secret(), uploadToken: secret() };
    await mkdir(dir, { recursive: true });
    await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
    return secrets;
  }
}

export function shopCredentials(secrets: Secrets): ShopCredentials {
  return {
    contractAccountId: CONTRACT_ACCOUNT_ID,
    username: USERNAME,
    password: secrets.platformPassword,
    apiKey: secrets.coreApiKey,
  };
}

/** The variables to which the tenants file's secrets refer. */
export function secretVariables(secrets: Secrets): Record<string, string> {
  return {
    ACME_PLATFORM_PASSWORD: secrets.platformPassword,
    ACME_CORE_API_KEY: secrets.coreApiKey,
    ACME_WEBHOOK_TOKEN: secrets.webhookToken,
    ACME_UPLOAD_TOKEN: secrets.uploadToken,
  };
}

/**
 * Writes the tenants file of the demo's one merchant; what the ERP lacks and the platform requires stands in
 * `catalog.defaults`. `sections` take the place of its own.
 */
export async function writeTenantsFile(dir: string, platformUrl: string, sections: object = {}): Promise<string> {
  const file = join(dir, 'tenants.json');
  const tenant = {
    id: 'acme',
    contractAccountId: CONTRACT_ACCOUNT_ID,
    language: 'pt-BR',
    platform: {
      baseUrl: platformUrl,
      username: USERNAME,
      password: { env: 'ACME_PLATFORM_PASSWORD' },
      coreApiKey: { env: 'ACME_CORE_API_KEY' },
      concurrency: 4,
    },
    webhook: { tokens: [{ env: 'ACME_WEBHOOK_TOKEN' }] },
    uploads: { tokens: [{ env: 'ACME_UPLOAD_TOKEN' }] },
    // The platform sends no notification for an accepted brand or category: silence for so long counts as success.
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
  await writeFile(file, JSON.stringify({ tenants: [tenant] }, null, 2));
  return file;
}
