import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { countsOf, LoadsClient } from './support/loads.ts';
import { fullProduct, fullSku } from './support/product-samples.ts';
import { type InvoiceRow, invoiceRows } from './support/invoice-rows.ts';
import { KilledApp } from './support/killed-app.ts';

const GENERATED = 2_000;
const PART = 100;
const RESULTS = 'erp.catalog.results.v1';

jest.setTimeout(900_000);

/** A product as an ERP has it, with what the shop requires. */
function productOf({ code, ean, name, ncm }: InvoiceRow): Record<string, unknown> {
  const sku = fullSku({ externalReference: `${code}-1`, reference: code, ean, name, unitOfMeasurement: 'Un' });
  const texts = { name, title: name, slug: `produto-${code}`, shortDescription: name, longDescription: name };
  return {
    ...fullProduct(),
    externalReference: code,
    ...texts,
    fiscalCode: ncm,
    ean,
    skus: [sku],
    recordId: `r-${code}`,
  };
}

type Spoil = (product: Record<string, unknown>, index: number) => object | string;

/** Ways in which one of the generated products is wrong, and the state that its record comes to. */
const MISTAKES: readonly (readonly [state: string, spoil: Spoil])[] = [
  ['invalid', (product) => ({ ...product, name: 'x'.repeat(401) })],
  ['invalid', (product) => without(product, 'title')],
  ['invalid', (product) => ({ ...product, tittle: 'x' })],
  ['invalid', (product) => ({ ...product, price: '9.90' })],
  ['invalid', (product) => ({ ...product, skus: [fullSku({ unitOfMeasurement: 'CX' })] })],
  ['invalid', (product) => ({ ...product, brandExternalReference: 'never-came' })],
  // Another product's slug: what the platform alone can know.
  ['refused', (product) => ({ ...product, slug: 'produto-1208' })],
  ['unreadable', () => '{"externalReference":'],
  ['repeated', () => productOf(FIRST)],
  // Its id came with other content.
  ['invalid', (_, index) => ({ ...productOf(FIRST), punctuation: 100 + index })],
];
const FIRST: InvoiceRow = { code: '1208', ean: '7897846902086', name: 'QUINOA 100G (2X50G)', ncm: '10085090' };
const ONE_MISTAKE_IN = 4;

interface FileRecord {
  readonly text: string;
  /** What becomes of it. */
  readonly state: string;
}

/** The products of the invoices, and others made of them, one in four of which is wrong in some way. */
function fileOf(rows: readonly InvoiceRow[]): FileRecord[] {
  const generated = Array.from({ length: GENERATED }, (_, index): FileRecord => {
    const row = rows[index % rows.length]!;
    const product = productOf({ ...row, code: `${row.code}-g${index}` });
    if (index % ONE_MISTAKE_IN !== 0) return { text: JSON.stringify(product), state: 'applied' };
    const [state, spoil] = MISTAKES[(index / ONE_MISTAKE_IN) % MISTAKES.length]!;
    const spoilt = spoil(product, index);
    return { text: typeof spoilt === 'string' ? spoilt : JSON.stringify(spoilt), state };
  });
  return [...rows.map((row) => ({ text: JSON.stringify(productOf(row)), state: 'applied' })), ...generated];
}

describe('a load of real and generated products into the sandbox', () => {
  let app: KilledApp;
  let client: LoadsClient;
  let file: FileRecord[];

  beforeAll(async () => {
    file = fileOf(await invoiceRows());
    app = await KilledApp.create('cp-load-killed', { deadlines: { referencesMs: 2_000 } });
    client = new LoadsClient(() => app.url);
    await app.start();
    await app.installation.readTopics(RESULTS);
  });

  afterAll(() => app?.close());

  /** Hands over what was not taken, and gives how much was. */
  async function handOver(loadId: string, records: readonly FileRecord[], upTo = records.length): Promise<void> {
    let { taken: from } = (await client.begin(loadId, records.length)).body;
    for (; from < upTo; from += PART) {
      const part = records.slice(from, Math.min(from + PART, upTo)).map(({ text }) => text);
      expect((await client.take(loadId, from, part)).status).toBe(200);
    }
  }

  /** Looks again and again until nothing is open; the sums hold at every look. */
  async function ended(loadId: string) {
    for (;;) {
      const load = await client.load(loadId);
      expect([load.loadId, load.total]).toEqual([loadId, load.taken]);
      if (load.open === 0) return load;
      await delay(100);
    }
  }

  /** Those in the shop, without their ids. Of two with one slug either may have been the first to come. */
  function entered(): FileRecord[] {
    const published = app.installation.published(RESULTS);
    const applied = new Set(
      published.flatMap(({ value }) => (value['outcome'] === 'applied' ? [value['commandId']] : [])),
    );
    const firsts = new Map(file.toReversed().map((record) => [idOf(record), record]));
    return [...firsts].flatMap(([id, record]) => (applied.has(id) ? [withoutId(record)] : []));
  }

  const expectedCounts = (): Record<string, number> =>
    Object.fromEntries([...Map.groupBy(file, ({ state }) => state)].map(([state, its]) => [state, its.length]));

  it('adds up after a SIGKILL halfway, and gives each record exactly one final result (guarantee 3)', async () => {
    const half = Math.ceil(file.length / 2 / PART) * PART;
    await handOver('first', file, half);
    await app.installation.until(async () => ((await client.load('first')).counts['applied'] ?? 0) > half / 4);
    await app.kill();
    await app.start();
    await handOver('first', file);
    const load = await ended('first');
    expect(load).toMatchObject({ expected: file.length, taken: file.length, total: file.length });
    expect(countsOf(load)).toEqual(expectedCounts());
    const finals = () => {
      const published = app.installation.published(RESULTS).filter(({ value }) => value['final'] === true);
      return new Map(published.map(({ key, value }) => [key, String(value['commandId'])]));
    };
    await app.installation.untilCount('final results', () => [...finals()], file.filter(isOwn).length);
    const counted = Map.groupBy(finals().values(), (commandId) => commandId);
    const ids = file.filter(isOwn).map((record) => String(idOf(record)));
    const expected = Map.groupBy(ids, (id) => id);
    const several = [...counted].filter(([id, its]) => its.length !== expected.get(id)?.length);
    expect([several, counted.size]).toEqual([[], expected.size]);
  });

  it('that comes a second time, under whatever name, makes no writing call to the platform (rule 28)', async () => {
    const before = await app.writes();
    await handOver('first', file);
    await handOver('second', file);
    const repeated = file.filter(({ state }) => state !== 'unreadable');
    // One id came with two contents: the first is a repeat, the other is refused again.
    const second = countsOf(await ended('second'));
    expect((second['repeated'] ?? 0) + (second['invalid'] ?? 0)).toBe(repeated.length);
    const fresh = entered();
    await handOver('fresh', fresh);
    expect(countsOf(await ended('fresh'))).toEqual({ unchanged: fresh.length });
    expect(await app.writes()).toEqual(before);
  });

  it('by gondola catalog load goes on where the killed command stopped', async () => {
    const fresh = entered();
    const path = join(app.installation.folder, 'produtos.jsonl');
    await writeFile(path, fresh.map(({ text }) => text).join('\n'));
    const command = () => app.gondola('catalog', 'load', path, '--load-id', 'by-command');
    const killed = command();
    await app.installation.until(async () => ((await client.load('by-command')).taken ?? 0) > 0);
    killed.kill('SIGKILL');
    const exit = await command().exit;
    expect(await client.load('by-command')).toMatchObject({ open: 0, taken: fresh.length });
    expect(countsOf(await client.load('by-command'))).toEqual({ unchanged: fresh.length });
    expect(exit).toBe(0);
  });

  it('is sent again whole, behind whatever comes, and goes on after a SIGKILL', async () => {
    const before = (await app.writes()).length;
    const { loadId } = (await client.resend({ everything: true })).body;
    await app.installation.until(async () => ((await client.load(loadId)).counts['applied'] ?? 0) > 0);
    await app.kill();
    await app.start();
    await app.installation.until(async () => (await client.load(loadId)).open === 0);
    const { counts, total, expected } = await client.load(loadId);
    expect(total).toBe(expected);
    expect(counts.applied).toBe(file.filter(({ state }) => state === 'applied').length);
    expect((await app.writes()).length).toBeGreaterThan(before);
    const results = app.installation.published(RESULTS).filter(({ value }) => value['command'] === 'resend');
    expect(results).toEqual([]);
  });
});

function without(product: Record<string, unknown>, key: string): object {
  return Object.fromEntries(Object.entries(product).filter(([name]) => name !== key));
}

/** It ends in a result of its own. */
function isOwn({ state }: FileRecord): boolean {
  return state !== 'unreadable' && state !== 'repeated';
}

/** Null: it has none that can be read. */
function idOf({ text, state }: FileRecord): string | null {
  return state === 'unreadable' ? null : (JSON.parse(text) as { readonly recordId: string }).recordId;
}

function withoutId({ text, state }: FileRecord): FileRecord {
  return { text: JSON.stringify(without(JSON.parse(text) as Record<string, unknown>, 'recordId')), state };
}
