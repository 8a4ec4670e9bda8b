import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TestSandbox } from '@gondola/local-stack/testing/test-sandbox';
import { decimalTextToNumberToken } from '@gondola/shared/json/digits';
import { orderCommandErrors } from '@gondola/shared/orders/order-command-errors';
import { ORDER_COMMANDS, PickingItemDto } from '@gondola/shared/orders/order-commands.dto';
import { pickingItem } from '@gondola/shared/orders/picking-items';
import { type FieldSpec, fieldTable } from '@gondola/shared/schemas/field.decorators';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_WIRE_PROFILE } from '../src/wire-profile.ts';
import { pickingBody } from '../src/wire-bodies.ts';
import { Merchant } from './support/merchant.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const GUIDES = ['erp-guide.md', 'pt-BR/guia-erp.md'];

type Amount = 'finalOrderPrice' | 'unitPrice' | 'total';

/** The charged amount is in cents; prices per unit of measure and costs of lines have any decimals. */
const VALUES: readonly [text: string, isInCents: boolean][] = [
  ['0', true],
  ['12.4', true],
  ['12.45', true],
  ['12.4500', true],
  ['0.0399', false],
  ['12.455', false],
  ['1.0000000001', false],
];
const IN_CENTS: ReadonlySet<Amount> = new Set(['finalOrderPrice']);
const ASKED = (['finalOrderPrice', 'unitPrice', 'total'] as const).flatMap((field) =>
  VALUES.map(([text, isInCents]) => ({ field, text, isTaken: isInCents || !IN_CENTS.has(field) })),
);

describe('an amount of a picking', () => {
  let sandbox: TestSandbox;
  let merchant: Merchant;

  beforeAll(async () => {
    sandbox = await TestSandbox.start('amounts', { LOG_LEVEL: 'fatal' });
    merchant = await Merchant.open(sandbox);
  });
  afterAll(() => sandbox.close());

  it.each(ASKED)(
    '$field $text is taken by the check of commands and by the sandbox alike: $isTaken (rule 14)',
    async (asked) => {
      const { field, text, isTaken } = asked;
      const amounts = { finalOrderPrice: '12.45', unitPrice: '39.90', total: '12.45', [field]: text };
      const { number } = await merchant.buy();
      expect(errorsOf(number, amounts)).toEqual(isTaken ? [] : ['TOO_MANY_DECIMALS']);
      await merchant.with((client) => client.putOrder(number, bodyOf(amounts)));
      await sandbox.idle();
      const { items, totals } = (await sandbox.admin('GET', `/orders/${number}`)) as SandboxOrder;
      // A refused report leaves the order as it was bought.
      const taken = { finalOrderPrice: totals.total, unitPrice: items[0]?.unitPrice, total: items[0]?.total };
      const before = { finalOrderPrice: 12.45, unitPrice: 39.9, total: 12.45 };
      const shown = field === 'total' ? Math.round(Number(text) * 100) / 100 : Number(text);
      expect(taken[field]).toBe(isTaken ? shown : before[field]);
    },
  );

  it.each(GUIDES)('has too many decimals by %s exactly where the check says so (rule 14)', async (guide) => {
    const lines = (await readFile(join(DOCS, guide), 'utf8')).split('\n');
    const [sentence = '', ...others] = lines.filter((line) => line.includes('`TOO_MANY_DECIMALS`'));
    expect(others).toEqual([]);
    const [strict = '', lax = ''] = sentence.split('`TOO_MANY_DECIMALS`');
    const moneyFields = Object.values(ORDER_COMMANDS).flatMap(({ dto }) => namesOf(dto, 'money'));
    expect(namesIn(strict)).toEqual([...new Set(moneyFields)].toSorted());
    expect(namesIn(lax)).toEqual(namesOf(PickingItemDto, 'decimal'));
  });
});

interface SandboxOrder {
  readonly items: readonly { readonly unitPrice: number; readonly total: number }[];
  readonly totals: { readonly total: number };
}

function errorsOf(orderNumber: string, { finalOrderPrice, unitPrice, total }: Record<Amount, string>): string[] {
  const quantity = { value: '0.312', unit: 'Kg' };
  const item = { skuExternalReference: '4711-1', outcome: 'picked', quantity, unitPrice, total };
  const command = { commandId: 'c', command: 'ReportPicking', orderNumber, finalOrderPrice, items: [item] };
  return orderCommandErrors(command, { language: 'en', units: {} }).map(({ code }) => code);
}

function bodyOf({ finalOrderPrice, unitPrice, total }: Record<Amount, string>): string {
  const quantity = { value: '0.312', unit: 'Kg' } as const;
  const line = { skuExternalReference: '4711-1', line: null, outcome: 'picked', substitutes: null } as const;
  return pickingBody(DEFAULT_WIRE_PROFILE, {
    finalOrderPrice: decimalTextToNumberToken(finalOrderPrice) ?? 0,
    items: [pickingItem({ ...line, quantity, unitPrice, total })],
  });
}

/** Fields of this type, sorted. */
function namesOf(dto: new () => object, type: string): string[] {
  const fields = Object.entries<FieldSpec>(fieldTable(dto)).filter(([, spec]) => spec.type === type);
  return fields.map(([name]) => name).toSorted();
}

/** Names in back quotes that are fields and no values, sorted. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/`([a-z]\w*)`/gi)].flatMap(([, name = '']) => (name === 'invalid' ? [] : name)).toSorted();
}
