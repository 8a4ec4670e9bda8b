import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@gondola/local-stack/wait-for';
import { describe, expect, it } from '@jest/globals';
import { TOPIC } from '../erp/erp.ts';
import type { Gondola } from '../play/gondola.ts';
import { OperationsApi } from '../play/operations-api.ts';
import { secretsOf, shopCredentials, TENANT } from '../play/settings.ts';
import { testRun } from '../testing/test-run.ts';
import { EVENTS, POLICY, productOf, ShopDay, skuOf, STORE } from './testing/shop-day.ts';
import type { DemoContext } from '../play/step.ts';
import { OldConnector, type OldFaults } from './testing/old-connector.ts';

/** Time that the old connector has for a change; much more than it needs on a busy machine. */
const SETTLE_MS = 20_000;
/** Time that the ERP has for an approved order. */
const NOT_PREPARED_MS = 45_000;
/** The PDF is decided on before the invoice is given up, however busy the machine is. */
const INVOICE_MS = 600_000;
const PRODUCTS = ['1001', '1002', '1003', '1004', '1005', '1006'];
const SOLD = ['1001', '1002', '1003', '1004'];
const WRONG_UNIT = { product: '1006', unit: 'G' };
const ORDERS = 8;
const KILLED = ['order-command-handler', 'catalog-publisher', 'file-gateway', 'webhook-ingest'] as const;
const APPS = ['order-command-handler', 'catalog-publisher', 'file-gateway'] as const;
interface Difference {
  readonly kind: string;
  readonly route: string;
  readonly entity: string;
  readonly commandId: string | null;
  readonly lateMs: number | null;
  readonly gondola: string | null;
  readonly shop: string | null;
}

const FAULTS: OldFaults = {
  latePrice: { sku: skuOf('1004'), ms: SETTLE_MS * 2.5 },
  lostStock: skuOf('1003'),
  wrongUnit: WRONG_UNIT,
  withoutPdf: 0,
};

const basketLine = (index: number) => {
  return { skuExternalReference: skuOf(SOLD[index % SOLD.length]!), quantity: 2, unitPrice: 10 };
};

/** A day of the ERP, which knows its orders from the old connector alone. */
class Day extends ShopDay {
  readonly #numbers: number[] = [];

  private readonly shop: OperationsApi;
  private readonly faults: { current: OldFaults };

  constructor(context: DemoContext, shop: OperationsApi, faults: { current: OldFaults }) {
    super(context);
    this.shop = shop;
    this.faults = faults;
  }

  async loadCatalog(): Promise<void> {
    await this.send(TOPIC.products, PRODUCTS.map(productOf));
    await this.send(TOPIC.warehouses, [
      { externalReference: STORE, recordId: 'w', data: { id: STORE, name: 'Loja' } } as object,
    ]);
    const skus = PRODUCTS.filter((product) => product !== WRONG_UNIT.product).map(skuOf);
    await this.send(
      TOPIC.prices,
      skus.map((sku) => ({ externalReference: sku, policy: POLICY, recordId: `c-${sku}`, data: { price: '10.00' } })),
    );
    await this.send(
      TOPIC.stock,
      skus.map((sku) => ({ externalReference: sku, warehouse: STORE, recordId: `s-${sku}`, data: { quantity: 40 } })),
    );
  }

  async sell(): Promise<{ unheard: number; withoutPdf: number }> {
    const { shop } = this.context;
    for (let index = 0; index < ORDERS; index += 1) {
      const { number } = await shop.playOrder({
        items: [basketLine(index)],
        deliveryType: 'pickup',
        payment: 'approved',
      });
      this.#numbers.push(number);
    }
    const [unheard, withoutPdf, ...others] = this.#numbers as [number, number, ...number[]];
    this.faults.current = { ...FAULTS, withoutPdf };
    await Promise.all(
      [withoutPdf, ...others].map((number, index) => this.deliver(number, skuOf(SOLD[(index + 1) % SOLD.length]!))),
    );
    return { unheard, withoutPdf };
  }

  async differences(apis: readonly OperationsApi[]): Promise<Difference[]> {
    const pages = await Promise.all(
      apis.map((api) =>
        api.call<{ entries: Difference[] }>('GET', `/api/shadow/differences?tenant=${TENANT}&limit=200`),
      ),
    );
    return pages.flatMap(({ entries }) => entries).filter(({ kind }) => kind !== 'not-comparable');
  }

  /** Calls that changed something, as the shop counts them. */
  async changes(): Promise<number> {
    let count = 0;
    for (let after = 0; ;) {
      const page = await this.shop.call<{ seq: number; method: string }[]>('GET', `/admin/requests?after=${after}`);
      if (page.length === 0) return count;
      count += page.filter(({ method }) => method !== 'GET').length;
      after = page.at(-1)!.seq;
    }
  }
}

async function playDay(gondola: Gondola): Promise<void> {
  const { context, urls, operationsTokenFile, stack, prefix, supervisor } = gondola;
  const token = (await readFile(operationsTokenFile, 'utf8')).trim();
  const secrets = await secretsOf(dirname(operationsTokenFile));
  const admin = new OperationsApi(urls['platform-sandbox'], token);
  const apis = APPS.map((app) => new OperationsApi(urls[app], token));
  await context.shop.openShop();
  await admin.call('POST', '/admin/switches', { successEvents: 'notified' });
  const at = { brokers: stack.kafkaBrokers, prefix, shopUrl: urls['platform-sandbox'] };
  const faults = { current: FAULTS };
  const old = new OldConnector(at, shopCredentials(secrets), faults);
  const day = new Day(context, admin, faults);
  await old.registerWebhook(context.webhookUrl, secrets.webhookToken, EVENTS);
  await old.start();
  try {
    await day.loadCatalog();
    const inShop = () => Promise.all(SOLD.map((product) => context.shop.hasProduct(product)));
    await waitFor(async () => (await inShop()).every(Boolean), { describe: 'the products' });
    const kills = (async () => {
      for (const app of KILLED) {
        await delay(4_000);
        await supervisor.kill(app);
      }
    })();
    const [{ unheard, withoutPdf }] = await Promise.all([day.sell(), kills]);
    const wanted = [
      `another-value postProducts ${WRONG_UNIT.product}`,
      `late postPrices ${skuOf('1004')}/policy=${POLICY}`,
      `only-gondola orderCreated ${unheard}`,
      `only-gondola postStock ${skuOf('1003')}/warehouse=${STORE}`,
      `only-gondola uploadInvoicePdf ${withoutPdf}`,
    ];
    const found = async () => {
      const all = await day.differences(apis).catch(() => []);
      return all.map(({ kind, route, entity }) => `${kind} ${route} ${entity}`).toSorted();
    };
    await waitFor(
      async () => {
        const all = await found();
        // Asked here, so that a wait in vain says what was found.
        expect(all).toEqual(expect.arrayContaining(wanted));
        return true;
      },
      { describe: 'the five' },
    );
    // Those of the shop alone are compared last.
    await delay(3 * SETTLE_MS);
    expect(await found()).toEqual(wanted);
    expect(old.errors).toEqual([]);
    expect(await day.changes()).toBe(old.calls);
    expect(context.erp.ends()).toEqual([]);
    expect(context.erp.eventsOf(withoutPdf)).toEqual([]);
  } finally {
    await old.stop();
  }
}

describe('a shop in shadow beside another connector', () => {
  it('finds the five faults of the other one over a day with kills, and nothing else, and changes nothing', async () => {
    const tenant = {
      mode: 'shadow',
      deadlines: { commandMs: SETTLE_MS, invoiceMs: INVOICE_MS, settleMs: 1_500 },
      watch: { notPreparedMs: NOT_PREPARED_MS },
      recovery: { scanEveryMs: null, quietMs: null },
    } as unknown as Record<string, object>;
    await testRun('shadow', playDay, { tenant });
  });
});
