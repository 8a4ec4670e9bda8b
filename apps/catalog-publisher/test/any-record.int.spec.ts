import { sized } from '@gondola/local-stack/testing/sized';
import { isPlainRecord, type JsonValue, parseWithDigits, stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { jsonStringText, jsonText } from '@gondola/shared/testing/arbitrary-json';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { CatalogInstallation } from './support/catalog-app.ts';
import { POLICY } from './support/product-samples.ts';

const RECORDS = sized(150, 1_000);
const CATALOG = {
  units: { KILO: 'Kg' },
  commercialPolicies: { varejo: POLICY },
  allowedExtraKeys: ['extraKey'],
  defaults: { product: { punctuation: 5 }, sku: { manufacturerCode: 'N/A' } },
};

/** A member of a record as the ERP writes it, and of what is posted; null: there is none. Both are JSON texts. */
interface Member {
  readonly record: readonly [key: string, text: string] | null;
  readonly wire: readonly [key: string, text: string] | null;
}

const same = (key: string, text: string): Member => ({ record: [key, text], wire: [key, text] });
const absent: Member = { record: null, wire: null };
/** A text of 3 to 30 characters, some of them escaped in the record. */
const words = fc
  .tuple(fc.constant('"abc'), jsonStringText)
  .map(([start, text]) => start + text.slice(1))
  .filter((text) => !text.includes('\\u0000') && isWellFormed(text));
const anyJson = jsonText({ spaced: true }).filter(isShort);
const positive = fc.constantFrom('1', '1.10', '0.5', '1e1', '12345.678900');
const decimal = (key: string): fc.Arbitrary<Member> =>
  fc.oneof(
    positive.map((text) => same(key, text)),
    fc.constantFrom('1.10', '0.50', '7').map((text): Member => ({ record: [key, `"${text}"`], wire: [key, text] })),
  );
const text = (key: string): fc.Arbitrary<Member> => words.map((each) => same(key, each));
/** A text that is posted without the blanks around it. */
const code = (key: string): fc.Arbitrary<Member> =>
  words
    .filter((each) => /^\S.*\S$/s.test(JSON.parse(each) as string))
    .chain((each) => fc.constantFrom<Member>(same(key, each), renamed(key, key, `"  ${each.slice(1, -1)}    "`, each)));
/** May be left out, or null, which is another thing. */
const optional = (key: string, member: fc.Arbitrary<Member>): fc.Arbitrary<Member> =>
  fc.oneof(member, fc.constant(absent), fc.constant(same(key, 'null')));
const choice = (...members: readonly Member[]): fc.Arbitrary<Member> => fc.constantFrom(...members);

const renamed = (from: string, to: string, record: string, wire = record): Member => ({
  record: [from, record],
  wire: [to, wire],
});
const policy = choice(
  same('commercialPolicyId', `"${POLICY}"`),
  renamed('commercialPoliticId', 'commercialPolicyId', `"${POLICY}"`),
  renamed('commercialPolicyId', 'commercialPolicyId', '"varejo"', `"${POLICY}"`),
);
const unit = choice(
  same('unitOfMeasurement', '"Kg"'),
  renamed('unitOfMeasure', 'unitOfMeasurement', '"Un"'),
  renamed('unitOfMeasurement', 'unitOfMeasurement', '"KILO"', '"Kg"'),
);
/** Fields left out of a new product come from the tenants file. */
const defaulted = (key: string, supplied: string, member: fc.Arbitrary<Member>): fc.Arbitrary<Member> =>
  fc.oneof(member, fc.constant<Member>({ record: null, wire: [key, supplied] }));

const OPTIONAL_OF_PRODUCT = [
  optional('similarTerms', text('similarTerms')),
  optional('fiscalCode', choice(same('fiscalCode', '"04061010"'), same('fiscalCode', '"x"'))),
  optional('ean', code('ean')),
  optional('displayInSite', choice(same('displayInSite', 'true'), same('displayInSite', 'false'))),
  optional('displayInSoldOut', choice(same('displayInSoldOut', 'false'))),
  optional('active', choice(same('active', 'true'), same('active', 'false'))),
  optional(
    'characteristics',
    // A text must be one that can be stored.
    anyJson
      .filter((each) => !each.trim().startsWith('"') || (!each.includes('\\u0000') && isWellFormed(each)))
      .map((each) => same('characteristics', each)),
  ),
  optional(
    'extraKey',
    anyJson.map((each) => same('extraKey', each)),
  ),
];
const OPTIONAL_OF_SKU = [
  optional('arithmeticFactor', decimal('arithmeticFactor')),
  optional('weight', decimal('weight')),
  optional('minimumWeightForSale', decimal('minimumWeightForSale')),
  optional('skuPackageMinAmount', decimal('skuPackageMinAmount')),
  optional('exhibitionBadge1', choice(same('exhibitionBadge1', '"novo"'), same('exhibitionBadge1', '""'))),
  optional(
    'extraKey',
    anyJson.map((each) => same('extraKey', each)),
  ),
];
const MEASURES = ['weight', 'height', 'width', 'length'].flatMap((each) => [`${each}ForFreight`, `${each}Real`]);

/** A product that comes for the first time; its codes are the test's. */
const newProduct = shuffled([
  policy,
  text('name').map(longer),
  text('title'),
  text('shortDescription'),
  text('longDescription'),
  defaulted('punctuation', '5', choice(same('punctuation', '10'), renamed('punctuation', 'punctuation', '"10"', '10'))),
  ...OPTIONAL_OF_PRODUCT,
]);
const newSku = shuffled([
  unit,
  text('name'),
  choice(same('ean', '"7891000100103"')),
  code('reference'),
  choice(same('arrivalDate', '"2026-01-01"')),
  defaulted('manufacturerCode', '"N/A"', choice(same('manufacturerCode', '"QMF"'))),
  ...MEASURES.map(decimal),
  ...OPTIONAL_OF_SKU,
]);
/** An existing product is changed only in the fields of the record. */
const change = shuffled(OPTIONAL_OF_PRODUCT);
const skuChange = shuffled(OPTIONAL_OF_SKU);

const cases = (product: fc.Arbitrary<readonly Member[]>, sku: fc.Arbitrary<readonly Member[]>) =>
  fc.sample(fc.tuple(product, fc.array(sku, { minLength: 1, maxLength: 2 })), RECORDS);

describe('any valid record', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    gondola = await CatalogInstallation.create('cp-any', [{ id: 'acme', catalog: CATALOG }]);
    await gondola.startApp();
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  /** Sends records, and gives what was posted of each. */
  async function post(round: string, records: readonly string[]): Promise<string[]> {
    const from = gondola.platform.requests.length;
    // The contract's schema has no key that one tenant alone allows.
    await gondola.produce(...records.map((value, index) => ({ key: `p${index}`, value, isBad: true as const })));
    for (let index = 0; index < records.length; index += 1) {
      const { value } = await gondola.resultOf(`${round}-${index}`);
      expect({ record: records[index], ...value }).toMatchObject({ outcome: 'applied', errors: [] });
    }
    const posted = new Map<string, string>();
    for (const { method, body } of gondola.platform.requests.slice(from)) {
      const items = method === 'POST' ? parseWithDigits(body) : [];
      for (const item of Array.isArray(items) ? items.filter(isPlainRecord) : []) {
        const { externalReference } = item;
        if (typeof externalReference === 'string') posted.set(externalReference, plain(item));
      }
    }
    return records.map((_, index) => posted.get(`p${index}`) ?? 'nothing');
  }

  it('is on the wire the same JSON but for the documented translation and the tenant’s defaults (rules 21 to 23)', async () => {
    const created = cases(newProduct, newSku).map(([members, skus], index) =>
      bothTexts(index, 'new', [...members, same('slug', `"s-${index}"`)], skus),
    );
    expect(
      await post(
        'new',
        created.map(({ record }) => record),
      ),
    ).toEqual(created.map(({ wire }) => wire));
    const changed = cases(change, skuChange).map(([members, skus], index) =>
      bothTexts(index, 'change', [...members, same('name', `"Queijo ${index}"`)], skus.slice(0, 1)),
    );
    expect(
      await post(
        'change',
        changed.map(({ record }) => record),
      ),
    ).toEqual(changed.map(({ wire }) => wire));
  });
});

function bothTexts(index: number, round: string, members: readonly Member[], skus: readonly (readonly Member[])[]) {
  const own = same('externalReference', `"p${index}"`);
  const id: Member = { record: ['recordId', `"${round}-${index}"`], wire: null };
  const entries = skus.map((sku, place) => [same('externalReference', `"p${index}-${place}"`), ...sku]);
  const write = (side: keyof Member): string => {
    const skuTexts = entries.map((sku) => objectText(sku.flatMap((each) => each[side] ?? [])));
    const all = [own, id, ...members].flatMap((each) => each[side] ?? []);
    return objectText([...all, 'skus', `[${skuTexts.join(',')}]`]);
  };
  return { record: write('record'), wire: plain(parseWithDigits(write('wire'))) };
}

/** Of keys and texts in turn. */
function objectText(parts: readonly string[]): string {
  const members = parts.flatMap((key, at) => (at % 2 === 0 ? [`${JSON.stringify(key)}:${parts[at + 1]}`] : []));
  return `{${members.join(',')}}`;
}

/** JSON text without white space, its keys sorted and its digits as they are. */
function plain(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(plain).join(',')}]`;
  if (!isPlainRecord(value)) return stringifyWithDigits(value);
  const members = Object.keys(value).toSorted();
  return `{${members.map((key) => `${JSON.stringify(key)}:${plain(value[key]!)}`).join(',')}}`;
}

function shuffled(members: readonly fc.Arbitrary<Member>[]): fc.Arbitrary<readonly Member[]> {
  return fc
    .tuple(...members)
    .chain((all) => fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }));
}

function longer(member: Member): Member {
  const lengthen = (pair: Member['wire']): Member['wire'] =>
    pair === null ? null : [pair[0], `"ab${pair[1].slice(1)}`];
  return { record: lengthen(member.record), wire: lengthen(member.wire) };
}

/** Half a surrogate pair cannot be sent as UTF-8, and NUL is in no text of PostgreSQL. */
function isWellFormed(text: string): boolean {
  const value = String(JSON.parse(text));
  return value.isWellFormed() && !value.includes('\0');
}

/** A number of so many digits that it is refused is no valid record. */
function isShort(text: string): boolean {
  return text.length < 500 && isWellFormed(JSON.stringify(text)) && !/\d{16}|[eE]/.test(text);
}
