import { describe, expect, it } from '@jest/globals';
import { ORDER_COMMAND_NAMES, ORDER_COMMAND_TARGETS, isOrderCommandName } from './order-command-names.ts';
import { readOrderCommand } from './order-command.ts';
import type { JsonRecord } from '../json/json-digits.ts';

const command: JsonRecord = { commandId: 'c-88', command: 'StartPreparation', orderNumber: 100_234 };

function told(record: JsonRecord): [string, string][] {
  const reading = readOrderCommand(record, 'en');
  return reading.ok ? [] : reading.errors.map(({ field, code }) => [field, code]);
}

describe('order command', () => {
  it('knows every command of the contract and the status it aims at', () => {
    expect(ORDER_COMMAND_NAMES).toHaveLength(13);
    expect(isOrderCommandName('toString')).toBe(false);
    expect(ORDER_COMMAND_TARGETS).toMatchObject({
      StartPreparation: 400,
      RegisterInvoice: 350,
      MarkReady: 500,
      Ship: 600,
    });
  });

  it('reads StartPreparation, its number as integer or decimal text', () => {
    const read = { command: 'StartPreparation', commandId: 'c-88', orderNumber: 100_234, requestedBy: null };
    expect(readOrderCommand(command, 'en')).toEqual({ ok: true, command: read });
    expect(
      readOrderCommand(
        {
          ...command,
          orderNumber: '100234',
          requestedAt: '2026-11-20T10:00:00-03:00',
          requestedBy: 'caixa 3',
          tenant: null,
        },
        'en',
      ),
    ).toEqual({ ok: true, command: { ...read, requestedBy: 'caixa 3' } });
  });

  it('refuses an unknown command with the nearest known name', () => {
    expect(readOrderCommand({ ...command, command: 'StartPreparations' }, 'pt-BR')).toEqual({
      ok: false,
      errors: [
        {
          field: 'command',
          code: 'COMMAND_UNKNOWN',
          message: 'O comando não é conhecido ou se refere a algo que não existe.',
          hint: 'O nome conhecido mais próximo é "StartPreparation".',
        },
      ],
    });
    expect(told({ ...command, command: 'constructor' })).toEqual([['command', 'COMMAND_UNKNOWN']]);
  });

  it('refuses what is missing, mistyped or unknown, all of it at once', () => {
    expect(
      told({ commandId: 'c', command: 'StartPreparation', orderNumbr: 1, requestedAt: '2026-11-20T10:00:00' }),
    ).toEqual([
      ['orderNumber', 'FIELD_REQUIRED'],
      ['requestedAt', 'FIELD_TYPE'],
      ['orderNumbr', 'FIELD_UNKNOWN'],
    ]);
    expect(told({ ...command, orderNumber: 1.5 })).toEqual([['orderNumber', 'FIELD_TYPE']]);
    expect(told({ ...command, orderNumber: null })).toEqual([['orderNumber', 'FIELD_REQUIRED']]);
    expect(told({ commandId: 'c' })).toEqual([
      ['command', 'FIELD_REQUIRED'],
      ['orderNumber', 'FIELD_REQUIRED'],
    ]);
    expect(told({ ...command, command: null })).toEqual([['command', 'FIELD_REQUIRED']]);
  });

  it.each([
    ['StartPreparation', {}],
    ['RefreshOrder', {}],
    ['ReleaseOrder', {}],
    ['MarkReady', { reason: null, carrier: null, tracking: null }],
    ['Ship', { reason: null, carrier: null, tracking: null }],
    ['ConfirmDelivery', { reason: null, carrier: null, tracking: null }],
    ['ReportDeliveryFailure', { reason: null, carrier: null, tracking: null }],
    ['RegisterReturn', { reason: null, carrier: null, tracking: null }],
  ])('%s needs nothing but its identity', (name, content) => {
    expect(readOrderCommand({ ...command, command: name }, 'en')).toEqual({
      ok: true,
      command: { command: name, commandId: 'c-88', orderNumber: 100_234, requestedBy: null, ...content },
    });
  });

  it.each<[string, JsonRecord, JsonRecord]>([
    [
      'Ship',
      { carrier: 'Loggi', tracking: 'BR1', reason: 'saiu' },
      { carrier: 'Loggi', tracking: 'BR1', reason: 'saiu' },
    ],
    ['CancelOrder', { reason: 'sem estoque' }, { reason: 'sem estoque' }],
    ['WithdrawCommand', { withdraws: 'c-87' }, { withdraws: 'c-87' }],
    ['AttachInvoicePdf', { pdf: { uploadId: 'u-1' } }, { pdf: { uploadId: 'u-1' } }],
  ])('%s is read with its own fields', (name, fields, content) => {
    expect(readOrderCommand({ ...command, command: name, ...fields }, 'en')).toMatchObject({
      ok: true,
      command: content,
    });
  });

  it.each<[string, JsonRecord, [string, string][]]>([
    ['CancelOrder', {}, [['reason', 'FIELD_REQUIRED']]],
    ['CancelOrder', { reason: '' }, [['reason', 'FIELD_REQUIRED']]],
    ['CancelOrder', { reason: 7 }, [['reason', 'FIELD_TYPE']]],
    ['WithdrawCommand', { withdraws: null }, [['withdraws', 'FIELD_REQUIRED']]],
    [
      'Ship',
      { carrier: 1, tracknig: 'x' },
      [
        ['carrier', 'FIELD_TYPE'],
        ['tracknig', 'FIELD_UNKNOWN'],
      ],
    ],
    ['StartPreparation', { reason: 'x' }, [['reason', 'FIELD_UNKNOWN']]],
    ['AttachInvoicePdf', {}, [['pdf', 'FIELD_REQUIRED']]],
    ['AttachInvoicePdf', { pdf: 'u-1' }, [['pdf', 'FIELD_TYPE']]],
    ['AttachInvoicePdf', { pdf: {} }, [['pdf', 'FIELD_TYPE']]],
    ['AttachInvoicePdf', { pdf: { uploadId: 'u', url: 'https://example.com/a.pdf' } }, [['pdf', 'FIELD_TYPE']]],
    ['AttachInvoicePdf', { pdf: { uploadId: 'u', url: null } }, []],
    ['AttachInvoicePdf', { pdf: { uploadID: 'u' } }, [['pdf.uploadID', 'FIELD_UNKNOWN']]],
    ['AttachInvoicePdf', { pdf: { path: '' } }, [['pdf.path', 'LIMIT']]],
  ])('%s with %j is told %j', (name, fields, expected) => {
    expect(told({ ...command, command: name, ...fields })).toEqual(expected);
  });

  it('tells the nearest known name of an unknown key, also within a record', () => {
    const reading = readOrderCommand({ ...command, command: 'AttachInvoicePdf', pdf: { uploadID: 'u' } }, 'en');
    expect(reading).toMatchObject({ errors: [{ hint: 'The nearest known name is "uploadId".' }] });
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
    expect(readOrderCommand(invoice, 'en')).toMatchObject({
      ok: true,
      command: { number: '8812', value: '187.45', valueCents: 18_745, pdf: null, series: null, accessKey: null },
    });
    const accessKey = '52060433009911002506550120000007800267301615';
    const full = {
      ...invoice,
      number: 8812,
      series: 1,
      model: '55',
      accessKey,
      pdf: { uploadId: 'u-1' },
      value: 187.5,
    };
    expect(readOrderCommand(full, 'en')).toMatchObject({
      ok: true,
      command: { number: '8812', series: '1', model: '55', accessKey, pdf: { uploadId: 'u-1' }, value: '187.50' },
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
    ['a blank number', { number: ' ' }, [['number', 'FIELD_TYPE']]],
    ['a date without offset', { issuedAt: '2026-11-20T10:15:00' }, [['issuedAt', 'FIELD_TYPE']]],
    ['an access key with a wrong check digit', { accessKey: `${'1'.repeat(43)}0` }, [['accessKey', 'FIELD_TYPE']]],
    ['content of two kinds', { pdf: { url: 'https://example.com/a', path: 'a' } }, [['pdf', 'FIELD_TYPE']]],
  ])('with %s is invalid (rules 13, 14)', (_, fields, expected) => {
    expect(told({ ...invoice, ...fields })).toEqual(expected);
  });
});
