import { randomUUID } from 'node:crypto';
import { type Catalog, readCatalog, TAKEN_SLUG } from '../../erp/catalog.ts';
import { pictureOf } from '../../erp/contents.ts';
import { TOPIC } from '../../erp/erp.ts';
import { registerWebhook } from '../gondola-client.ts';
import { TENANT } from '../settings.ts';
import { endsAs, expectThat, explain, step, type StepReport, until, upload, type DemoContext } from '../step.ts';

const PRODUCT_OF_THE_SHOP = {
  externalReference: 'LOJA-1',
  commercialPolicyId: '22222222-2222-4222-8222-222222222222',
  name: 'Granola Tradicional 800g da loja',
  slug: TAKEN_SLUG,
  title: 'Granola Tradicional 800g',
  shortDescription: 'Granola tradicional',
  longDescription: 'Granola tradicional, pacote de 800 g',
  punctuation: 1,
  skus: [],
};

/** Expected outcomes of the load: two rejections with their reasons, all other products in the shop. */
const EXPECTED_NOES: Readonly<Record<string, { outcome: string; code: string }>> = {
  '98007': { outcome: 'invalid', code: 'UNIT_UNKNOWN' },
  '1094': { outcome: 'refused', code: 'SLUG_TAKEN' },
};

const PICTURED = ['4711-1', '1078-1', '1147-1'];

/** True if the shop has what the day loads first. */
export async function hasOpenedBefore({ shop }: DemoContext): Promise<boolean> {
  await shop.openShop();
  return shop.hasProduct(PRODUCT_OF_THE_SHOP.externalReference);
}

/** Loads brands, categories, products and pictures into the shop. */
export async function loadTheShelf(context: DemoContext): Promise<void> {
  await loadCatalog(context);
  await publishPictures(context);
}

export async function loadCatalog(context: DemoContext): Promise<void> {
  const { shop } = context;
  await step(context, 'register-webhook', async () => {
    await shop.openShop();
    return {
      where: '/api/webhook-registration',
      what: await registerWebhook(context.ingest, TENANT, context.webhookUrl),
      value: undefined,
    };
  });
  await step(context, 'shop-had-a-product', async () => {
    await shop.loadProduct(PRODUCT_OF_THE_SHOP);
    await until(context, 'the product that the shop had', () => shop.hasProduct(PRODUCT_OF_THE_SHOP.externalReference));
    return {
      where: 'POST /v1/batch/Products',
      what: `before the ERP came, the shop had a product with slug ${TAKEN_SLUG}`,
      value: undefined,
    };
  });
  const catalog = await readCatalog(`carga-${new Date().toISOString()}`);
  await step(context, 'send-products-first', () => sendProductsFirst(context, catalog));
  await step(context, 'brands-and-categories', () => sendBrandsAndCategories(context, catalog));
  await step(context, 'load-products', () => awaitProducts(context, catalog));
}

export async function publishPictures(context: DemoContext): Promise<void> {
  await step(context, 'publish-pictures', () => publishTwoEach(context));
}

/** The ERP need not sort its records: a product may precede the brand and category that it refers to. */
async function sendProductsFirst({ erp }: DemoContext, { products }: Catalog): Promise<StepReport> {
  await erp.send(
    TOPIC.products,
    products.map((product) => ({ key: product.externalReference, value: product })),
  );
  return {
    where: TOPIC.products,
    what: `${products.length} products sent, before the brands and categories that they name`,
    value: undefined,
  };
}

async function sendBrandsAndCategories(context: DemoContext, { brands, categories }: Catalog): Promise<StepReport> {
  await context.erp.send(
    TOPIC.brands,
    brands.map((brand) => ({ key: brand.externalReference, value: brand })),
  );
  await context.erp.send(TOPIC.categories, [{ key: categories.externalReference, value: categories }]);
  for (const { recordId } of [...brands, categories]) await endsAs(context, recordId, 'applied', 'unchanged');
  const leaves = categories.children?.length ?? 0;
  return {
    where: TOPIC.catalogResults,
    what: `${brands.length} brands and a tree of ${leaves + 1} categories are in the shop`,
    value: undefined,
  };
}

async function awaitProducts(context: DemoContext, { products }: Catalog): Promise<StepReport> {
  const ended = () => products.filter(({ recordId }) => context.erp.endOf(recordId) !== undefined).length;
  const bar = context.reporter.bar(products.length, 'products');
  await until(context, `${products.length} product results`, () => {
    bar.at(ended());
    return ended() === products.length;
  }).finally(() => bar.end());
  const notes: string[] = [];
  for (const { externalReference, recordId } of products) {
    const result = context.erp.endOf(recordId)!;
    const no = EXPECTED_NOES[externalReference];
    if (no === undefined) {
      expectThat(
        ['applied', 'unchanged'].includes(result.outcome),
        `product ${externalReference} ended ${explain(result)}`,
      );
      expectThat(await context.shop.hasProduct(externalReference), `the shop has no product ${externalReference}`);
    } else {
      const codes = [result.reason?.code, ...result.errors.map(({ code }) => code)];
      expectThat(
        result.outcome === no.outcome && codes.includes(no.code),
        `product ${externalReference} ended ${explain(result)}`,
      );
      notes.push(`${externalReference} ${explain(result)}`);
    }
  }
  const entered = products.length - notes.length;
  return {
    where: TOPIC.catalogResults,
    what: `${products.length} products: ${entered} in the shop, 1 invalid, 1 refused`,
    notes,
    value: undefined,
  };
}

async function publishTwoEach(context: DemoContext): Promise<StepReport> {
  const commands = await Promise.all(
    PICTURED.map(async (skuExternalReference, place) => {
      const pictures = [pictureOf(place + 1), pictureOf(place + 101)];
      const uploads = await Promise.all(pictures.map((picture) => upload(context, picture, 'image/png')));
      const images = uploads.map((uploadId, index) => ({ order: index + 1, content: { uploadId } }));
      return { commandId: randomUUID(), command: 'PublishSkuImages', skuExternalReference, images };
    }),
  );
  await context.erp.send(
    TOPIC.fileCommands,
    commands.map((command) => ({ key: command.skuExternalReference, value: command })),
  );
  for (const { commandId } of commands) await endsAs(context, commandId, 'applied', 'unchanged');
  const images = await context.shop.imagesOf('4711');
  const orders = images.map(({ order }) => order);
  expectThat(orders.includes(1) && orders.includes(2), `the shop has images ${orders.join(', ')} of product 4711`);
  return {
    where: TOPIC.fileResults,
    what: `two pictures each of ${PICTURED.length} SKUs published, in their order`,
    value: undefined,
  };
}
