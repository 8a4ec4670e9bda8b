import { parseExact, type Json, type JsonObject } from '../../src/values/exact-json.ts';

/** A product item as a caller would write it, with every field required to create it, without SKUs. */
export function productItem(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    externalReference: '4711',
    commercialPolicyId: '6f1c0a4e-6f0e-4c3a-9b7e-0d5f4a1b2c3d',
    name: 'Queijo Minas Frescal',
    slug: 'queijo-minas-frescal',
    title: 'Queijo Minas Frescal',
    shortDescription: 'Frescal',
    longDescription: 'Queijo minas frescal, peça',
    punctuation: 10,
    ...overrides,
  };
}

/** A weighable SKU item with every field required to create it. */
export function skuItem(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    externalReference: '4711-1',
    name: 'Queijo Minas Frescal, por quilo',
    ean: '7891000100103',
    reference: '4711-1',
    unitOfMeasurement: 'Kg',
    arithmeticFactor: 0.1,
    weightForFreight: 1,
    heightForFreight: 10,
    widthForFreight: 12.5,
    lengthForFreight: 12.5,
    weightReal: 1,
    heightReal: 10,
    widthReal: 12.5,
    lengthReal: 12.5,
    arrivalDate: '2026-01-31',
    manufacturerCode: 'QMF-1',
    ...overrides,
  };
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
