import { describe, expect, it } from '@jest/globals';
import { type JsonRecord, parseWithDigits } from '@gondola/shared/json/json-digits';
import { MAX_IDENTITY_LENGTH } from '@gondola/shared/limits';
import { ORDER_COMMANDS } from '@gondola/shared/orders/order-commands.dto';
import { DOUBLED_THRICE, growthOf, TRIPLED_THRICE } from '@gondola/shared/testing/growth';
import { HOSTILE_RECORDS, parseHostile } from '@gondola/shared/testing/hostile-json';
import { asked, judgedInEnglish, problemsOf } from '../../test/support/asked.ts';
import { cancelOrder } from './cancel-order.ts';
import type { OrderCommandDefinition } from './order-command.ts';
import { ORDER_COMMAND_NAMES, orderCommand, orderCommandQueue } from './order-commands.ts';
import { judgeCommand } from './read-command.ts';

const command: JsonRecord = { commandId: 'c-88', command: 'StartPreparation', orderNumber: 100_234 };

const HOSTILE_SIZE = 30_000;

/** Names that every plain object inherits. */
const INHERITED = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];

describe('the definition of an order command', () => {
  it('exists for every command of the contract, with the status it aims at', () => {
    expect(ORDER_COMMAND_NAMES.toSorted()).toEqual(Object.keys(ORDER_COMMANDS).toSorted());
    const targets = ORDER_COMMAND_NAMES.map((name) => [name, orderCommand(name)?.target ?? null]);
    expect(Object.fromEntries(targets)).toEqual({
      StartPreparation: 400,
      ReportPicking: 1300,
      RegisterInvoice: 350,
      AttachInvoicePdf: 350,
      MarkReady: 500,
      Ship: 600,
      ConfirmDelivery: 700,
      ReportDeliveryFailure: 900,
      RegisterReturn: 1000,
      CancelOrder: 800,
      RefreshOrder: null,
      ReleaseOrder: null,
      WithdrawCommand: null,
    });
  });

  it('puts a cancel, a refresh and a withdrawal beside the others, and what no command is called with them (rule 19)', () => {
    expect(ORDER_COMMAND_NAMES.filter((name) => orderCommandQueue(name) !== 'main')).toEqual([
      'CancelOrder',
      'RefreshOrder',
      'WithdrawCommand',
    ]);
    expect(orderCommandQueue('constructor')).toBe('main');
  });

  it('cannot forget a part', () => {
    const { decide: _forgotten, ...rest } = cancelOrder;
    // @ts-expect-error TS2741: what is to be done next for it is missing
    const definition: OrderCommandDefinition = rest;
    expect(definition).not.toHaveProperty('decide');
  });
});

describe('order command', () => {
  it('reads its number as integer or decimal text', () => {
    expect(judgedInEnglish(command)).toMatchObject({ kind: 'valid', definition: { name: 'StartPreparation' } });
    const more = { requestedAt: '2026-11-20T10:00:00-03:00', requestedBy: 'caixa 3', tenant: null };
    expect(problemsOf({ ...command, orderNumber: '100234', ...more })).toEqual([]);
  });

  it('refuses an unknown command with the nearest known name', () => {
    const portuguese = { language: 'pt-BR', units: {} } as const;
    expect(judgeCommand({ ...command, command: 'StartPreparations' }, portuguese)).toMatchObject({
      kind: 'invalid',
      errors: [
        {
          field: 'command',
          code: 'COMMAND_UNKNOWN',
          message: 'O comando "StartPreparations" não é conhecido ou se refere a algo que não existe.',
          hint: 'O nome conhecido mais próximo é "StartPreparation".',
        },
      ],
    });
    expect(problemsOf({ ...command, command: 'constructor' })).toEqual([['command', 'COMMAND_UNKNOWN']]);
  });

  it('refuses what is missing, mistyped or unknown, all of it at once', () => {
    expect(
      problemsOf({ commandId: 'c', command: 'StartPreparation', orderNumbr: 1, requestedAt: '2026-11-20T10:00:00' }),
    ).toEqual([
      ['orderNumber', 'FIELD_REQUIRED'],
      ['requestedAt', 'FIELD_TYPE'],
      ['orderNumbr', 'FIELD_UNKNOWN'],
    ]);
    expect(problemsOf({ ...command, orderNumber: 1.5 })).toEqual([['orderNumber', 'FIELD_TYPE']]);
    expect(problemsOf({ ...command, orderNumber: null })).toEqual([['orderNumber', 'FIELD_REQUIRED']]);
    expect(problemsOf({ commandId: 'c' })).toEqual([
      ['command', 'FIELD_REQUIRED'],
      ['orderNumber', 'FIELD_REQUIRED'],
    ]);
    expect(problemsOf({ ...command, command: null })).toEqual([['command', 'FIELD_REQUIRED']]);
  });

  it.each(['StartPreparation', 'MarkReady', 'Ship', 'ConfirmDelivery', 'ReportDeliveryFailure', 'RegisterReturn'])(
    '%s needs nothing but its identity',
    (name) => {
      expect(problemsOf({ ...command, command: name })).toEqual([]);
    },
  );

  it.each<[string, JsonRecord, unknown]>([
    ['Ship', { carrier: 'Loggi', tracking: 'BR1', reason: 'saiu' }, null],
    ['CancelOrder', { reason: 'sem estoque' }, { reason: 'sem estoque' }],
    ['WithdrawCommand', { withdraws: 'c-1' }, { withdraws: 'c-1' }],
    ['AttachInvoicePdf', { pdf: { uploadId: 'u-1' } }, { registration: null, pdf: { uploadId: 'u-1' } }],
  ])('%s is read with its own fields', (name, fields, content) => {
    expect(asked({ ...command, command: name, ...fields })).toEqual(content);
  });

  it.each<[string, JsonRecord, [string, string][]]>([
    ['CancelOrder', {}, [['reason', 'FIELD_REQUIRED']]],
    ['CancelOrder', { reason: '' }, [['reason', 'FIELD_REQUIRED']]],
    ['CancelOrder', { reason: 7 }, [['reason', 'FIELD_TYPE']]],
    [
      'Ship',
      { carrier: 1, tracknig: 'x' },
      [
        ['carrier', 'FIELD_TYPE'],
        ['tracknig', 'FIELD_UNKNOWN'],
      ],
    ],
    ['WithdrawCommand', {}, [['withdraws', 'FIELD_REQUIRED']]],
    ['RefreshOrder', {}, []],
    ['ReleaseOrder', { reason: 'x' }, [['reason', 'FIELD_UNKNOWN']]],
    ['StartPreparation', { reason: 'x' }, [['reason', 'FIELD_UNKNOWN']]],
    ['AttachInvoicePdf', {}, [['pdf', 'FIELD_REQUIRED']]],
    ['AttachInvoicePdf', { pdf: 'u-1' }, [['pdf', 'FIELD_TYPE']]],
    ['AttachInvoicePdf', { pdf: {} }, [['pdf', 'FIELD_TYPE']]],
    ['AttachInvoicePdf', { pdf: { uploadId: 'u', url: 'https://example.com/a.pdf' } }, [['pdf', 'FIELD_TYPE']]],
    ['AttachInvoicePdf', { pdf: { uploadId: 'u', url: null } }, []],
    ['AttachInvoicePdf', { pdf: { url: 'https://example.com/a.pdf' } }, []],
    ['AttachInvoicePdf', { pdf: { uploadID: 'u' } }, [['pdf.uploadID', 'FIELD_UNKNOWN']]],
    ['AttachInvoicePdf', { pdf: { path: '' } }, [['pdf.path', 'LIMIT']]],
  ])('%s with %j is published %j', (name, fields, expected) => {
    expect(problemsOf({ ...command, command: name, ...fields })).toEqual(expected);
  });

  it('names the nearest known name of an unknown key, also within a record', () => {
    expect(judgedInEnglish({ ...command, command: 'AttachInvoicePdf', pdf: { uploadID: 'u' } })).toMatchObject({
      errors: [{ hint: 'The nearest known name is "uploadId".' }],
    });
  });
});

describe('RegisterInvoice', () => {
  const invoice: JsonRecord = {
    ...command,
    command: 'RegisterInvoice',
    number: '8812',
    issuedAt: '2026-11-20T10:15:00-03:00',
    value: '187.45',
  };

  it('is read with its value as money and in cents; codes may be numbers (rule 14)', () => {
    expect(asked(invoice)).toEqual({
      registration: {
        invoice: { number: '8812', issuedAt: '2026-11-20T13:15:00Z', value: '187.45' },
        body: expect.stringContaining('"number":"8812"'),
      },
      pdf: null,
    });
    const accessKey = '52060433009911002506550120000007800267301615';
    const full = {
      ...invoice,
      number: 780,
      series: 12,
      model: '55',
      issuedAt: '2006-04-20T10:15:00-03:00',
      accessKey,
      pdf: { uploadId: 'u-1' },
      value: 187.5,
    };
    expect(asked(full)).toEqual({
      registration: {
        invoice: { number: '780', issuedAt: '2006-04-20T13:15:00Z', value: '187.50' },
        body: expect.stringContaining('"number":"780"'),
      },
      pdf: { uploadId: 'u-1' },
    });
  });

  it('may have a blank as its number, which the platform does not refuse', () => {
    expect(asked({ ...invoice, number: ' ' })).toMatchObject({
      registration: { body: expect.stringContaining('"number":" "') },
    });
  });

  it.each<[string, JsonRecord, [string, string][]]>([
    ['a value with a third decimal', { value: '187.455' }, [['value', 'TOO_MANY_DECIMALS']]],
    ['the same as a number', { value: 187.455 }, [['value', 'TOO_MANY_DECIMALS']]],
    ['a value with a comma', { value: '187,45' }, [['value', 'FIELD_TYPE']]],
    ['a value below zero', { value: '-1.00' }, [['value', 'LIMIT']]],
    ['a value that no cents can hold', { value: '90071992547409.92' }, [['value', 'FIELD_TYPE']]],
    ['no value', { value: null }, [['value', 'FIELD_REQUIRED']]],
    ['an empty number', { number: '' }, [['number', 'FIELD_REQUIRED']]],
    ['an empty series', { series: '' }, [['series', 'FIELD_TYPE']]],
    ['a date without offset', { issuedAt: '2026-11-20T10:15:00' }, [['issuedAt', 'FIELD_TYPE']]],
    ['an access key with a wrong check digit', { accessKey: `${'1'.repeat(43)}0` }, [['accessKey', 'FIELD_TYPE']]],
    [
      'the access key of another invoice',
      { accessKey: '52060433009911002506550120000007800267301615' },
      [
        ['number', 'ACCESS_KEY_MISMATCH'],
        ['issuedAt', 'ACCESS_KEY_MISMATCH'],
      ],
    ],
    ['content of two kinds', { pdf: { url: 'https://example.com/a', path: 'a' } }, [['pdf', 'FIELD_TYPE']]],
  ])('with %s is invalid (rules 13, 14)', (_, fields, expected) => {
    expect(problemsOf({ ...invoice, ...fields })).toEqual(expected);
  });
});

function withPdf(commandId: string): [string, string][] {
  return problemsOf({ ...command, commandId, command: 'AttachInvoicePdf', pdf: { uploadId: 'u' } });
}

describe('a hostile order command', () => {
  it.each(INHERITED)('may not hold %s, wherever it stands, nor be called so', (name) => {
    const text = `{"commandId":"c","command":"ReportPicking","orderNumber":1,"finalOrderPrice":1,"${name}":1,"items":[
      {"skuExternalReference":"s","outcome":"missing","${name}":1,"quantity":{"value":0,"unit":"Kg","${name}":1}}]}`;
    const places = [name, `items[0].${name}`, `items[0].quantity.${name}`];
    expect(problemsOf(parseWithDigits(text) as JsonRecord)).toEqual(places.map((field) => [field, 'FIELD_UNKNOWN']));
    expect(problemsOf({ ...command, command: name })).toEqual([['command', 'COMMAND_UNKNOWN']]);
  });

  it('is invalid with a number that is longer than a record may hold one', () => {
    const text = `{"commandId":"c","command":"ReportPicking","orderNumber":1,"x":1${'0'.repeat(39_998)}1}`;
    expect(problemsOf(parseWithDigits(text) as JsonRecord)).toEqual([['x', 'LIMIT']]);
  });

  it('with a PDF has an id that leaves room for those of the commands derived from it (rule 15)', () => {
    const longest = MAX_IDENTITY_LENGTH - 4;
    expect(withPdf('c'.repeat(longest))).toEqual([]);
    expect(withPdf('c'.repeat(longest + 1))).toEqual([['commandId', 'LIMIT']]);
  });

  it.each(HOSTILE_RECORDS)('is judged in time that at most triples when it doubles: %s', async (_what, text) => {
    const [small, large] = [HOSTILE_SIZE, HOSTILE_SIZE * DOUBLED_THRICE].map((size) => ({
      ...parseHostile(text(size)),
      command: 'ReportPicking',
    }));
    const growth = await growthOf(
      () => judgedInEnglish(small!),
      () => judgedInEnglish(large!),
      TRIPLED_THRICE,
    );
    expect(growth).toBeLessThanOrEqual(TRIPLED_THRICE);
  });
});
