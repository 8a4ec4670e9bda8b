import type { PublishedRecord } from '@gondola/kafka/testing/test-installation';
import { fullProduct, fullSku } from './product-samples.ts';
import { type InvoiceRow, invoiceRows } from './invoice-rows.ts';

/** A record of a file, and what becomes of it. */
export interface FileRecord {
  readonly text: string;
  readonly state: 'applied' | 'invalid' | 'refused' | 'unreadable' | 'repeated';
}

type Product = Readonly<Record<string, unknown>>;
type Spoil = (product: Product, index: number) => object | string;

/** The sample product whose slug and id others take. */
const FIRST: InvoiceRow = {
  code: '1208',
  ean: '7897846902086',
  name: 'QUINOA 100G (2X50G)',
  ncm: '10085090',
  unit: 'UN',
};
const TAKEN_SLUG = slugOf(FIRST.code);
const ONE_MISTAKE_IN = 4;

/** Ways in which a generated product is wrong, and the state that its record comes to. */
const MISTAKES: readonly (readonly [state: FileRecord['state'], spoil: Spoil])[] = [
  ['invalid', (product) => ({ ...product, name: 'x'.repeat(401) })],
  ['invalid', (product) => without(product, 'title')],
  ['invalid', (product) => ({ ...product, tittle: 'x' })],
  ['invalid', (product) => ({ ...product, price: '9.90' })],
  ['invalid', (product) => ({ ...product, skus: [fullSku({ unitOfMeasurement: 'CX' })] })],
  ['invalid', (product) => ({ ...product, brandExternalReference: 'never-came' })],
  // Only the platform can know this.
  ['refused', (product) => ({ ...product, slug: TAKEN_SLUG })],
  ['unreadable', () => '{"externalReference":'],
  ['repeated', () => productOf(FIRST)],
  // Its id came with other content.
  ['invalid', (_, index) => ({ ...productOf(FIRST), punctuation: 100 + index })],
];

/** The products of the sample invoices, and so many made of them, one in four of which is wrong in some way. */
export async function spoiltFile(generated: number): Promise<FileRecord[]> {
  const rows = await invoiceRows();
  const made = Array.from({ length: generated }, (_, index): FileRecord => {
    const row = rows[index % rows.length]!;
    const product = productOf({ ...row, code: `${row.code}-g${index}` });
    if (index % ONE_MISTAKE_IN !== 0) return { text: JSON.stringify(product), state: 'applied' };
    const [state, spoil] = MISTAKES[(index / ONE_MISTAKE_IN) % MISTAKES.length]!;
    const spoilt = spoil(product, index);
    return { text: typeof spoilt === 'string' ? spoilt : JSON.stringify(spoilt), state };
  });
  return [...rows.map((row) => ({ text: JSON.stringify(productOf(row)), state: 'applied' as const })), ...made];
}

/** A product has another one's slug. */
export function hasTakenSlug({ externalReference, slug }: Product): boolean {
  return slug === TAKEN_SLUG && externalReference !== FIRST.code;
}

/** How many records come to each state. */
export function statesOf(file: readonly FileRecord[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(file, ({ state }) => state)].map(([state, its]) => [state, its.length]));
}

/** Records that end in a result of their own, one each (guarantee 3). */
export function withResult(file: readonly FileRecord[]): FileRecord[] {
  return file.filter(({ state }) => state !== 'unreadable' && state !== 'repeated');
}

/** How many final results each id has, a repeated one counted once; those of conflicts stand under their first's id. */
export function finalsById(published: readonly PublishedRecord[]): Record<string, number> {
  const finals = published.filter(({ value }) => value['final'] === true);
  return timesOf(new Map(finals.map(({ key, value }) => [key, String(value['commandId'])])).values());
}

/** How many final results each id of a file must have. */
export function expectedFinals(file: readonly FileRecord[]): Record<string, number> {
  return timesOf(withResult(file).map(idOf).values());
}

/** The records that were applied, each once and without its id. Of two with one slug either may have come first. */
export function appliedOf(file: readonly FileRecord[], published: readonly PublishedRecord[]): FileRecord[] {
  const ids = new Set(
    published.flatMap(({ value }) => (value['outcome'] === 'applied' ? [String(value['commandId'])] : [])),
  );
  const readable = file.filter(({ state }) => state !== 'unreadable');
  const firsts = new Map(readable.toReversed().map((record) => [idOf(record), record]));
  return [...firsts].flatMap(([id, { text, state }]) =>
    ids.has(id) ? [{ text: JSON.stringify(without(JSON.parse(text) as Product, 'recordId')), state }] : [],
  );
}

/** A product as an ERP has it, with what the shop requires. */
function productOf({ code, ean, name, ncm }: InvoiceRow): Product {
  const sku = fullSku({ externalReference: `${code}-1`, reference: code, ean, name, unitOfMeasurement: 'Un' });
  const texts = { name, title: name, slug: slugOf(code), shortDescription: name, longDescription: name };
  const own = { externalReference: code, fiscalCode: ncm, ean, skus: [sku], recordId: `r-${code}` };
  return { ...fullProduct(), ...texts, ...own };
}

function timesOf(ids: Iterable<string>): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(ids, (id) => id)].map(([id, its]) => [id, its.length]));
}

function slugOf(code: string): string {
  return `produto-${code}`;
}

function idOf({ text }: FileRecord): string {
  return (JSON.parse(text) as { readonly recordId: string }).recordId;
}

function without(product: Product, key: string): object {
  return Object.fromEntries(Object.entries(product).filter(([name]) => name !== key));
}
