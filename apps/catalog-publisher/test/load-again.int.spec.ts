import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import { CutLine } from './support/cut-line.ts';
import { gondola as startGondola } from './support/gondola-command.ts';
import { LoadsClient } from './support/loads.ts';
import { fullProduct, fullSku, POLICY } from './support/product-samples.ts';
import { guidOf, readModelOf } from './support/read-models.ts';
import { fullBrand } from './support/reference-samples.ts';

const SKUS = ['sku-0', 'sku-1'];
/** More than one part of the command line. */
const PRODUCTS = 250;

describe('gondola catalog load of a file that was loaded before', () => {
  let gondola: CatalogInstallation;
  let line: CutLine;
  let folder: string;
  let client: LoadsClient;

  beforeAll(async () => {
    const deadlines = { settleMs: 200, referencesMs: 300 };
    gondola = await CatalogInstallation.create('cp-load-again', [{ id: 'acme', deadlines }]);
    await gondola.startApp();
    await gondola.readTopics();
    line = await CutLine.start(() => gondola.installation.running.url);
    client = new LoadsClient(() => gondola.installation.running.url);
    folder = await mkdtemp(join(tmpdir(), 'gondola-load-again-'));
    const skus = SKUS.map((each) => fullSku({ externalReference: each, reference: each }));
    gondola.shop().readModels.set('1', readModelOf('1', skus));
    await gondola.produce({ value: { ...fullProduct({ externalReference: '1' }), skus } });
    for (const sku of SKUS) await gondola.skuOf(sku);
  });

  beforeEach(() => {
    line.mend();
    gondola.shop().before = () => undefined;
  });

  afterAll(async () => {
    await line?.stop();
    await gondola?.close();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  const started = (...args: string[]) => startGondola(line.url, 'catalog', 'load', ...args);
  const load = (...args: string[]) => started(...args).ended;

  async function fileOf(name: string, records: readonly object[]): Promise<string> {
    const path = join(folder, `${name}.jsonl`);
    await writeFile(path, records.map((each) => JSON.stringify(each)).join('\n'));
    return path;
  }

  const prices = (name: string, price: string) =>
    fileOf(
      name,
      SKUS.map((externalReference) => ({ externalReference, policy: POLICY, data: { price } })),
    );

  /** Prices of a SKU that the shop received, in their order. */
  function posted(sku: string): string[] {
    const items = gondola.shop().references.flatMap((call) => call.items as { skuId: string; price: string }[]);
    return items.filter(({ skuId }) => skuId === guidOf(sku)).map(({ price }) => price);
  }

  const loadIds = async () => {
    const { body } = await client.get('/api/loads?limit=100');
    return (body as { entries: { loadId: string }[] }).entries.map(({ loadId }) => loadId);
  };

  it('sends it anew after another file: prices return to the former ones when a promotion ends', async () => {
    const [usual, promotion] = [await prices('usual', '10.00'), await prices('promotion', '7.00')];
    for (const file of [usual, promotion, usual]) {
      expect(await load(file, '--kind', 'price')).toMatchObject({
        exit: 0,
        stdout: expect.stringMatching(/applied +2/),
      });
    }
    for (const sku of SKUS) expect(posted(sku)).toEqual(['10.00', '7.00', '10.00']);
  });

  it('sends it anew after a cure of what made its records invalid', async () => {
    const record = { ...fullProduct({ externalReference: 'cured', slug: 'cured' }), brandExternalReference: 'cure' };
    const file = await fileOf('cured', [
      { ...record, skus: [fullSku({ externalReference: 'cured-1', reference: 'c' })] },
    ]);
    expect(await load(file)).toMatchObject({ exit: 1, stdout: expect.stringMatching(/invalid +1/) });
    await gondola.produceTo('erp.catalog.brands.v1', {
      value: fullBrand({ externalReference: 'cure', recordId: 'cure' }),
    });
    await gondola.resultOf('cure');
    expect(await load(file)).toMatchObject({ exit: 0, stdout: expect.stringMatching(/applied +1/) });
    expect(gondola.shop().batchesOf('cured')).toHaveLength(1);
  });

  it('takes it with the right kind after a forgotten --kind', async () => {
    const file = await prices('forgotten', '4.00');
    expect(await load(file)).toMatchObject({ exit: 1, stdout: expect.stringMatching(/invalid +2/) });
    expect(await load(file, '--kind', 'price')).toMatchObject({ exit: 0, stdout: expect.stringMatching(/applied +2/) });
    for (const sku of SKUS) expect(posted(sku).at(-1)).toBe('4.00');
  });

  it.each(['call', 'answer'] as const)(
    'goes on with one that lost its network between its parts, by a lost %s, and sends nothing twice',
    async (lost) => {
      const records = Array.from({ length: PRODUCTS }, (_, index) => {
        const externalReference = `${lost}-${index}`;
        const skus = [fullSku({ externalReference: `${externalReference}-1`, reference: externalReference })];
        return { ...fullProduct({ externalReference, slug: externalReference }), skus };
      });
      const file = await fileOf(lost, records);
      const before = await loadIds();
      // Begin, first part, look; the second part fails.
      line.cutAfter(3, lost);
      expect(await load(file)).toMatchObject({
        exit: 3,
        stderr: expect.stringContaining('continues where it stopped'),
      });
      line.mend();
      expect(await load(file)).toMatchObject({ exit: 0, stdout: expect.stringMatching(/(applied|unchanged) +250/) });
      expect(await loadIds()).toHaveLength(before.length + 1);
      const sent = gondola.shop().batches.flatMap(({ products }) => products.map((each) => each.externalReference));
      expect(sent.filter((each) => each.startsWith(`${lost}-`))).toHaveLength(PRODUCTS);
    },
  );

  it('goes on with one that was killed while its records are open, and sends nothing twice', async () => {
    const file = await prices('killed', '3.00');
    const before = await loadIds();
    const held = Promise.withResolvers<void>();
    gondola.shop().before = async ({ path }) => void (path.endsWith('/Pricing') && (await held.promise));
    const killed = started(file, '--kind', 'price');
    await gondola.until(() => gondola.platform.requests.some(({ body }) => body.includes('"3.00"')));
    killed.kill('SIGKILL');
    await killed.ended;
    const { begun } = line;
    const again = started(file, '--kind', 'price');
    await gondola.until(() => line.begun > begun);
    held.resolve();
    expect(await again.ended).toMatchObject({ exit: 0, stdout: expect.stringMatching(/applied +2/) });
    expect(await loadIds()).toHaveLength(before.length + 1);
    for (const sku of SKUS) expect(posted(sku).filter((price) => price === '3.00')).toHaveLength(1);
  });

  it('sends it whole where another file of its kind was loaded since it was interrupted', async () => {
    const [cut, other] = [await prices('cut', '21.00'), await prices('other', '22.00')];
    // Begin; the answer to its only part is lost.
    line.cutAfter(1, 'answer');
    expect(await load(cut, '--kind', 'price')).toMatchObject({ exit: 3 });
    line.mend();
    expect(await load(other, '--kind', 'price')).toMatchObject({ exit: 0 });
    expect(await load(cut, '--kind', 'price')).toMatchObject({ exit: 0, stdout: expect.stringMatching(/applied +2/) });
    for (const sku of SKUS) expect(posted(sku).slice(-2)).toEqual(['22.00', '21.00']);
  });
});
