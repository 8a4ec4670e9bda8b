import { describe, expect, it } from '@jest/globals';
import { ORDER_COMMAND_NAMES, ORDER_COMMAND_TARGETS, isOrderCommandName } from './order-command-names.ts';
import { readOrderCommand } from './order-command.ts';
import type { JsonRecord } from './json-digits.ts';

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
});
