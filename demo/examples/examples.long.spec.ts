import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testStack } from '@gondola/local-stack/test-stack';
import { WAIT_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshRun } from '../play/fresh-run.ts';
import type { Gondola } from '../play/gondola.ts';
import { registerWebhook } from '../play/gondola-client.ts';
import { Reporter } from '../play/reporter.ts';
import { build, DANFE, Example, isInstalled, type Language, LANGUAGES } from './testing/example.ts';

// The examples know nothing of this repository except the contract: they are started as their README describes,
// beside a sandbox with a playing shopper.

const SHIPPED = 600;
/** Unit price, and the price of the two bought units in cents. */
const PRICE = 18.9;
const CENTS = 3_780;

interface InstalledLanguage {
  readonly language: Language;
  readonly isHere: boolean;
}

const languages: InstalledLanguage[] = await Promise.all(
  LANGUAGES.map(async (language) => ({ language, isHere: await isInstalled(language) })),
);

async function buy({ context }: Gondola, [reference]: readonly string[]): Promise<number> {
  const items = [{ skuExternalReference: `${reference}-1`, quantity: 2, unitPrice: PRICE }];
  const { number } = await context.shop.playOrder({ items, deliveryType: 'express', payment: 'approved' });
  return number;
}

/** Loads products, is killed in the middle of an order, and delivers this order and another. */
async function sell(gondola: Gondola, language: Language, folder: string): Promise<void> {
  const { shop, ingest, webhookUrl } = gondola.context;
  await shop.openShop();
  await registerWebhook(ingest, 'acme', webhookUrl);
  await mkdir(folder);
  const env = { ...gondola.erpEnvironment, DANFE_PDF: DANFE, ERP_DATABASE: join(folder, 'erp') };
  const first = new Example(language, env);
  let second: Example | undefined;
  try {
    for (const reference of language.products) await first.says(`product ${reference}: applied`);
    const one = await buy(gondola, language.products);
    await first.says(`order ${one}: OrderApproved, revision 1`);
    await first.end('SIGKILL');
    second = new Example(language, env);
    const other = await buy(gondola, language.products);
    for (const order of [one, other]) {
      await second.until(`${order} is shipped`, async () => (await shop.order(order)).status === SHIPPED);
      await second.says(new RegExp(`^order ${order}: Ship applied`));
      expect(await shop.order(order)).toMatchObject({ invoice: { number: String(order), value: CENTS } });
    }
    expect([...first.lines, ...second.lines].filter((line) => line.includes('needs a person'))).toEqual([]);
    expect(await second.end('SIGTERM')).toBe(0);
  } finally {
    await first.end('SIGKILL');
    await second?.end('SIGKILL');
  }
}

async function play(language: Language, folder: string): Promise<void> {
  await build(language);
  const { kafkaBrokers, databaseUrl } = testStack();
  const logDir = join(import.meta.dirname, '../test-results', `example-${language.name}`);
  const reporter = new Reporter({ write: () => true, isTTY: false });
  await freshRun(
    { reporter, logDir, external: { kafkaBrokers, databaseUrl }, stepTimeoutMs: WAIT_LIMIT_MS },
    (gondola) => sell(gondola, language, folder),
  );
}

describe('the examples of ERPs', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gondola-examples-'));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  for (const { language, isHere } of languages) {
    const isRun = isHere || process.env['CI'] !== undefined;
    const why = isRun ? '' : ` (not run here: needs ${language.needs})`;
    const runs = isRun ? it : it.skip;
    runs(`${language.name}: bring orders from their approval to the door, killed on the way${why}`, () =>
      play(language, join(folder, language.name)),
    );
  }
});
