import { PRODUCT_EXAMPLE } from '../../src/products/products.routes.ts';
import { parseExact, type Json, type JsonObject } from '../../src/values/exact-json.ts';

const {
  skus: [WEIGHABLE],
  ...PRODUCT
} = PRODUCT_EXAMPLE;

/** A product item as a caller would write it, with every field required to create it, without SKUs. */
export function productItem(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { ...PRODUCT, ...overrides };
}

/** A weighable SKU item with every field required to create it. */
export function skuItem(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { ...WEIGHABLE, ...overrides };
}

export function unitSkuItem(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return skuItem({
    externalReference: '1208-1',
    name: 'Quinoa 100 g',
    ean: '7897846902086',
    reference: '1208-1',
    unitOfMeasurement: 'Un',
    arithmeticFactor: null,
    ...overrides,
  });
}

/** A brand item with every required field. */
export function brandItem(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    externalReference: 'queijaria',
    name: 'Queijaria Teste',
    title: 'Queijaria Teste',
    description: 'Queijos de teste',
    punctuation: 5,
    ...overrides,
  };
}

/** A category item with all its fields, at the root. */
export function categoryItem(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    externalReference: 'frios',
    name: 'Frios',
    title: 'Frios e laticínios',
    description: 'Queijos e frios',
    isCategoryDepartmentToo: true,
    showInStoreFront: true,
    activeStoreFrontLink: true,
    position: 1,
    ...overrides,
  };
}

/** The item after the sandbox has read the body; undefined keys are removed. */
export function received(item: unknown): Json {
  return parseExact(JSON.stringify(item));
}

export function receivedObject(item: Record<string, unknown>): JsonObject {
  return received(item) as JsonObject;
}
