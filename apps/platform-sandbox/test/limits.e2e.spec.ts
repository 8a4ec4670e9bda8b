import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brandItem, categoryItem, productItem, skuItem, unitSkuItem } from './support/catalog-items.ts';
import type { Envelope } from './support/receiver.ts';
import { Shop, type Merchant } from './support/shop.ts';

/**
 * Rule of a field: the property in a rejection, a value at its limit, and values beyond it; undefined omits the
 * key.
 */
type Rule = readonly [field: string, property: string, good: unknown, ...bad: unknown[]];

const long = (length: number): string => 'x'.repeat(length);

const PRODUCT: readonly Rule[] = [
  ['externalReference', 'ExternalReference', long(60), long(61), null],
  ['commercialPolicyId', 'CommercialPolicyId', '6F1C0A4E-6f0e-4c3a-9b7e-0d5f4a1b2c3d', undefined, 'x', null],
  ['categoryExternalReference', 'CategoryExternalReference', long(30), long(31)],
  ['brandExternalReference', 'BrandExternalReference', long(30), long(31)],
  ['name', 'Name', long(5), undefined, long(4), null],
  ['name', 'Name', long(400), long(401)],
  ['slug', 'Slug', long(400), undefined, long(401), ''],
  ['title', 'Title', long(3), undefined, long(2)],
  ['title', 'Title', long(400), long(401)],
  ['shortDescription', 'ShortDescription', long(3), undefined, long(2)],
  ['shortDescription', 'ShortDescription', long(500), long(501)],
  ['longDescription', 'LongDescription', long(3), undefined, long(2)],
  ['longDescription', 'LongDescription', long(20_000)],
  ['fiscalCode', 'FiscalCode', 'not an NCM'],
  ['fiscalCode', 'FiscalCode', 123],
  ['ean', 'EAN', long(48), long(49)],
  ['punctuation', 'Punctuation', 0, undefined, -1],
  ['displayInSite', 'DisplayInSite', false, 'no'],
  ['displayInSoldOut', 'DisplayInSoldOut', true, 1],
  ['similarTerms', 'SimilarTerms', 'queijo, branco', 7],
  ['characteristics', 'Characteristics', [{ any: 'thing' }]],
  ['active', 'Active', false, 'yes'],
];

const MEASURES = ['weight', 'height', 'width', 'length'].flatMap((size) => [`${size}ForFreight`, `${size}Real`]);

const SKU: readonly Rule[] = [
  ['externalReference', 'ExternalReference', long(60), undefined, long(61)],
  ['name', 'Name', long(400), undefined, long(401)],
  ['ean', 'EAN', long(30), undefined, long(31)],
  ['reference', 'Reference', long(100), undefined, long(101)],
  ['unitOfMeasurement', 'UnitOfMeasurement', 'Un', undefined, 1, 'kg', 'L'],
  ['unitOfMeasurement', 'UnitOfMeasurement', 'G'],
  ['unitOfMeasurement', 'UnitOfMeasurement', 'Mg'],
  ...MEASURES.map((key): Rule => [key, `${key.charAt(0).toUpperCase()}${key.slice(1)}`, 0.001, undefined, 0, -1]),
  ['arrivalDate', 'ArrivalDate', '2028-02-29', undefined, '2026-02-29', '31/01/2026', '2026-01-31T00:00:00'],
  ['manufacturerCode', 'ManufacturerCode', long(50), undefined, long(51)],
  ['arithmeticFactor', 'ArithmeticFactor', 0.25, 'x'],
  ['weight', 'Weight', 0.1, 0],
  ['minimumWeightForSale', 'MinimumWeightForSale', 0.1, 0],
  ['skuPackageMinAmount', 'SkuPackageMinAmount', 1, 0],
  ['skuPackageMaxAmount', 'SkuPackageMaxAmount', 1, -1],
  ['exhibitionBadge1', 'ExhibitionBadge1', long(15), long(16)],
  ['exhibitionBadge2', 'ExhibitionBadge2', long(15), long(16)],
  ['exhibitionBadge3', 'ExhibitionBadge3', long(15), long(16)],
];

const BRAND: readonly Rule[] = [
  ['externalReference', 'ExternalReference', 'b', undefined, ''],
  ['name', 'Name', 'b', undefined, 7],
  ['title', 'Title', 'b', undefined, 7],
  ['description', 'Description', 'b', undefined, 7],
  ['punctuation', 'Punctuation', 0, undefined, 'x'],
  ['similarTerms', 'SimilarTerms', 'a, b', 7],
];

/** Each invalid value of a table, and the property that its rejection names. */
function badOnes(rules: readonly Rule[]): { field: string; property: string; value: unknown }[] {
  return rules.flatMap(([field, property, _good, ...bad]) => bad.map((value) => ({ field, property, value })));
}

function errorKeys(error: unknown): string[] {
  return (error as { validationErrors: { key: string }[] }).validationErrors.map(({ key }) => key);
}

interface SkuReport {
  failedSKUs: { externalReference: string; error: unknown }[];
  successfulSKUs: string[];
}

function skusOf(notified: Envelope | undefined): SkuReport {
  return (notified?.data.skus ?? { failedSKUs: [], successfulSKUs: [] }) as SkuReport;
}

describe('the limits of the document', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop.close());

  /** Loads one item per value in one batch; the name or reference of an item identifies the value that failed. */
  async function loaded(items: unknown[]): Promise<Envelope[]> {
    merchant = await shop.merchant();
    await shop.load(merchant, items);
    await shop.idle();
    return shop.envelopesOf(merchant);
  }

  it('a product with each field at its limit is stored', async () => {
    const items = PRODUCT.map(([field, , good], index) =>
      productItem({ externalReference: `p${index}`, slug: `p${index}`, [field]: good }),
    );
    const notified = await loaded(items);
    expect(notified).toHaveLength(PRODUCT.length);
    expect(notified.filter(({ eventType }) => eventType !== 'ProductWithSKUs_Created')).toEqual([]);
  });

  it('a product with a field beyond its limit, or without a required one, is rejected by that property', async () => {
    const cases = badOnes(PRODUCT).filter(({ field }) => field !== 'externalReference');
    const items = cases.map(({ field, value }, index) =>
      productItem({ externalReference: `p${index}`, slug: `p${index}`, [field]: value }),
    );
    const notified = await loaded(items);
    const rejected = notified.map(({ eventType, data }) => {
      const { externalReference, error } = data.product as { externalReference: string; error: unknown };
      return [eventType, externalReference, ...errorKeys(error)].join(' ');
    });
    const expected = cases.map(({ property }, index) => `ProductWithSKUs_CreationFailed p${index} ${property}`);
    expect(rejected.toSorted()).toEqual(expected.toSorted());
  });

  it.each([[undefined], [''], [long(61)], [null], [4711]])(
    'a product with the externalReference %j is rejected by it',
    async (externalReference) => {
      const notified = await loaded([productItem({ externalReference })]);
      expect(notified).toMatchObject([{ eventType: 'ProductWithSKUs_CreationFailed' }]);
      expect(notified.flatMap(({ data }) => errorKeys((data.product as { error: unknown }).error))).toEqual([
        'ExternalReference',
      ]);
    },
  );

  it('a SKU with each field at its limit is stored', async () => {
    const skus = SKU.map(([field, , good], index) => skuItem({ externalReference: `s${index}`, [field]: good }));
    const [notified] = await loaded([productItem({ skus })]);
    expect(notified?.data.skus).toMatchObject({ total: SKU.length, successful: SKU.length, failed: 0, failedSKUs: [] });
  });

  it('a SKU with a field beyond its limit, or without a required one, is rejected by that property, without prefix', async () => {
    const cases = badOnes(SKU).filter(({ field }) => field !== 'externalReference');
    const skus = cases.map(({ field, value }, index) => skuItem({ externalReference: `s${index}`, [field]: value }));
    const [notified] = await loaded([productItem({ skus: [...skus, unitSkuItem()] })]);
    const { failedSKUs, successfulSKUs } = skusOf(notified);
    const rejected = failedSKUs.map(({ externalReference, error }) => [externalReference, ...errorKeys(error)]);
    expect(rejected).toEqual(cases.map(({ property }, index) => [`s${index}`, property]));
    expect(successfulSKUs).toEqual(['1208-1']);
  });

  it.each([[undefined], [''], [long(61)]])(
    'a SKU with the externalReference %j is rejected by it',
    async (reference) => {
      const [notified] = await loaded([productItem({ skus: [skuItem({ externalReference: reference })] })]);
      const { failedSKUs } = skusOf(notified);
      expect(failedSKUs.map(({ error }) => errorKeys(error))).toEqual([['ExternalReference']]);
    },
  );

  it('a brand without one of its required fields is rejected', async () => {
    merchant = await shop.merchant();
    const cases = badOnes(BRAND);
    const bad = cases.map(({ field, value }, index) => brandItem({ externalReference: `b${index}`, [field]: value }));
    const good = BRAND.map(([field, , value], index) => brandItem({ externalReference: `g${index}`, [field]: value }));
    await shop.accepted(merchant, 'POST', '/v1/batch/Brands', [...bad, ...good]);
    await shop.idle();
    const rejected = shop
      .envelopesOf(merchant)
      .map(({ eventType, error }) => [eventType, ...errorKeys(error)].join(' '));
    const expected = cases.map(({ property }) => `Brand_CreationFailed ${property}`);
    expect(rejected.toSorted()).toEqual(expected.toSorted());
  });

  it('a category with a field of a wrong type is rejected', async () => {
    merchant = await shop.merchant();
    const bad = [
      { name: 7 },
      { title: 7 },
      { description: 7 },
      { isCategoryDepartmentToo: 'yes' },
      { showInStoreFront: 1 },
      { activeStoreFrontLink: 'no' },
      { position: 1.5 },
      { parentExternalReference: 7 },
      { children: 'none' },
    ];
    const items = bad.map((fields, index) => categoryItem({ externalReference: `c${index}`, ...fields }));
    await shop.accepted(merchant, 'POST', '/v1/batch/Categories', items);
    await shop.idle();
    const rejected = shop.envelopesOf(merchant).flatMap(({ error }) => errorKeys(error));
    const properties = bad.flatMap((fields) =>
      Object.keys(fields).map((key) => `${key.charAt(0).toUpperCase()}${key.slice(1)}`),
    );
    expect(rejected.toSorted()).toEqual(properties.toSorted());
  });
});
