import { describe, expect, it } from '@jest/globals';
import { BRAND_FIELDS } from '@gondola/shared/catalog/brand-record.dto';
import { CATEGORY_FIELDS } from '@gondola/shared/catalog/category-record.dto';
import { ALL_EVENT_NAMES } from '@gondola/shared/topics/event-names';
import { isEmpty, isOfType, isWithinLimits } from '@gondola/shared/fields/field-checks';
import type { FieldSpec, FieldTable } from '@gondola/shared/schemas/field.decorators';
import { FILE_TYPES } from '@gondola/shared/fields/file-types';
import { parseWithDigits } from '@gondola/shared/json/json-digits';
import { ORDER_STATUSES } from '@gondola/shared/orders/order-statuses';
import { PRODUCT_FIELDS } from '@gondola/shared/catalog/product-record.dto';
import { SKU_FIELDS } from '@gondola/shared/catalog/sku-record.dto';
import { UNITS } from '@gondola/shared/units-and-money/units';
import { DEFAULT_BEHAVIOUR } from '../apps/platform-sandbox/src/switches/behaviour.ts';
import { decideBrand } from '../apps/platform-sandbox/src/catalog/brand.ts';
import { decideCategory } from '../apps/platform-sandbox/src/catalog/category.ts';
import { type FieldRule, violations } from '../apps/platform-sandbox/src/catalog/field-rules.ts';
import * as sandboxProducts from '../apps/platform-sandbox/src/products/product-fields.ts';
import { type JsonObject, parseExact } from '../apps/platform-sandbox/src/values/exact-json.ts';
import { FILE_TYPES as SANDBOX_FILE_TYPES } from '../apps/platform-sandbox/src/files/stored-file.ts';
import * as sandboxStatuses from '../apps/platform-sandbox/src/orders/order-status.ts';
import { unitCode, UNITS_OF_MEASURE } from '../apps/platform-sandbox/src/values/unit-of-measure.ts';
import { isSubscribable } from '../apps/platform-sandbox/src/webhooks/event-names.ts';
import { KNOWN, type KnownDifference, PROBES } from './testing/platform-table-differences.ts';

/**
 * The connector and the sandbox read the platform's document independently. This suite compares their readings
 * table by table: each intended difference is listed with its reason, and any other is a mistake in one of the two.
 */

/** Decides whether an item that creates something may have this value; undefined: the key is missing. */
type Judge = (field: string, probe: string | undefined) => boolean;

interface Reading {
  readonly table: FieldTable;
  /** Keys that the sandbox knows. */
  readonly sandboxKeys: readonly string[];
  readonly sandbox: Judge;
}

/** Keys that one of the two handles outside its table. */
const BESIDE_THE_TABLE: Readonly<Record<string, readonly string[]>> = {
  product: ['skus'],
  category: ['parentExternalReference', 'children'],
};

const TEXTS = { externalReference: 'r', name: 'n', title: 't', description: 'd' };
const FLAGS = { isCategoryDepartmentToo: true, showInStoreFront: true, activeStoreFrontLink: true };
const BRAND = { ...TEXTS, punctuation: 1, similarTerms: 's', unknown: 1 };
const CATEGORY = { ...TEXTS, ...FLAGS, position: 1, unknown: 1 };
const newGuid = (): string => 'id';

function brandOf(item: JsonObject) {
  return decideBrand(item, undefined, newGuid);
}

function categoryOf(item: JsonObject) {
  const surroundings = { existing: undefined, parent: undefined, parentIsBelow: false };
  return decideCategory(
    { item, parentReference: undefined },
    surroundings,
    newGuid,
    DEFAULT_BEHAVIOUR.requiredOfCategory,
  );
}

const brand = brandOf(BRAND);
const category = categoryOf(CATEGORY);

const READINGS: Readonly<Record<string, Reading>> = {
  product: {
    table: PRODUCT_FIELDS,
    sandboxKeys: sandboxProducts.PRODUCT_FIELDS.map(({ key }) => key),
    sandbox: byRules(sandboxProducts.PRODUCT_FIELDS),
  },
  SKU: {
    table: SKU_FIELDS,
    sandboxKeys: sandboxProducts.SKU_FIELDS.map(({ key }) => key),
    sandbox: byRules(sandboxProducts.SKU_FIELDS),
  },
  brand: {
    table: BRAND_FIELDS,
    sandboxKeys: brand.kind === 'stored' ? Object.keys(brand.brand.fields) : [],
    sandbox: byDecision(BRAND, (item) => brandOf(item).kind === 'stored'),
  },
  category: {
    table: CATEGORY_FIELDS,
    sandboxKeys: category.kind === 'stored' ? Object.keys(category.category.fields) : [],
    sandbox: byDecision(CATEGORY, (item) => categoryOf(item).kind === 'stored'),
  },
};

function byConnector(table: FieldTable): Judge {
  return (field, probe) => {
    const spec: FieldSpec | undefined = table[field];
    const value = probe === undefined ? undefined : parseWithDigits(probe);
    if (spec?.required !== undefined && isEmpty(value)) return false;
    return spec === undefined || value === undefined || (isOfType(spec, value) && isWithinLimits(spec, value));
  };
}

function byRules(rules: readonly FieldRule[]): Judge {
  return (field, probe) => {
    const given = probe === undefined ? {} : { [field]: parseExact(probe) };
    return (
      violations(
        rules.filter(({ key }) => key === field),
        given,
        true,
      ).length === 0
    );
  };
}

function byDecision(good: JsonObject, isTaken: (item: JsonObject) => boolean): Judge {
  return (field, probe) => {
    const { [field]: _, ...others } = good;
    return isTaken(probe === undefined ? others : { ...others, [field]: parseExact(probe) });
  };
}

interface FoundDifference {
  readonly field: string;
  readonly probe: string;
  readonly onlyTakenBy: KnownDifference['onlyTakenBy'];
}

function differencesOf(name: string, { table, sandboxKeys, sandbox }: Reading): FoundDifference[] {
  const connector = byConnector(table);
  return sandboxKeys.flatMap((field) =>
    [['nothing', undefined] as const, ...Object.entries(PROBES)].flatMap(([probe, text]) => {
      const isTaken = connector(field, text);
      if (isTaken === sandbox(field, text)) return [];
      return [{ field: `${name}.${field}`, probe, onlyTakenBy: isTaken ? 'the connector' : 'the sandbox' } as const];
    }),
  );
}

function explains(known: KnownDifference, { field, probe, onlyTakenBy }: FoundDifference): boolean {
  return known.fields.test(field) && known.probes.includes(probe) && known.onlyTakenBy === onlyTakenBy;
}

describe("the connector's tables and the sandbox's", () => {
  it.each(Object.entries(READINGS))('have the same keys of a %s', (name, { table, sandboxKeys }) => {
    const beside = BESIDE_THE_TABLE[name] ?? [];
    const keys = Object.keys(table).filter((key) => !beside.includes(key));
    expect(sandboxKeys.toSorted()).toEqual(keys.toSorted());
    expect(Object.keys(table)).toEqual(expect.arrayContaining([...beside]));
  });

  it.each(Object.entries(READINGS))(
    'take and reject the same of a %s, but for what is known and has a reason',
    (name, reading) => {
      const unexplained = differencesOf(name, reading).filter(
        (found) => !KNOWN.some((known) => explains(known, found)),
      );
      expect(unexplained).toEqual([]);
    },
  );

  it('have no listed difference that is resolved', () => {
    const found = Object.entries(READINGS).flatMap(([name, reading]) => differencesOf(name, reading));
    const stale = KNOWN.flatMap((known) =>
      known.probes.flatMap((probe) =>
        found.some((difference) => difference.probe === probe && explains(known, difference))
          ? []
          : [`${probe}: ${known.because}`],
      ),
    );
    expect(stale).toEqual([]);
  });

  it('have the same units with the same numbers', () => {
    expect(Object.fromEntries(UNITS_OF_MEASURE.map((unit) => [unit, unitCode(unit)]))).toEqual(UNITS);
  });

  it('have the same statuses', () => {
    const byCode = Object.fromEntries(
      Object.entries(sandboxStatuses.ORDER_STATUSES).map(([name, code]) => [code, name]),
    );
    const names = Object.entries(ORDER_STATUSES).map(([code, { name }]) => [code, name]);
    expect(byCode).toEqual(Object.fromEntries(names));
    expect(Object.keys(ORDER_STATUSES).every((code) => sandboxStatuses.isNotified(Number(code)))).toBe(true);
    expect(sandboxStatuses.isNotified(sandboxStatuses.PLACED)).toBe(false);
  });

  it('have the same event names', () => {
    expect(ALL_EVENT_NAMES.filter((name) => !isSubscribable(name))).toEqual([]);
  });

  it('have the same types of files', () => {
    const connector = Object.entries(FILE_TYPES).map(([name, code]) => [name.toLowerCase(), code]);
    expect(Object.fromEntries(connector)).toEqual(SANDBOX_FILE_TYPES);
  });
});
