import { expect, it } from '@jest/globals';
import type { SaidCommand } from '@gondola/lanes/commands/commands';
import { askedFigures } from './asked-figures.ts';

const command = (
  commandId: string,
  name: string,
  value: object,
  outcome: SaidCommand['outcome'] = 'applied',
): SaidCommand => ({
  laneId: '1',
  commandId,
  command: name,
  outcome,
  value: Buffer.from(JSON.stringify(value)),
});

it('the last command of each kind counts, however it ended, but not one that was withdrawn', () => {
  const pdf = { uploadId: 'u-1' };
  const commands = [
    command('p-1', 'ReportPicking', { finalOrderPrice: 10, items: [] }),
    command('i-1', 'RegisterInvoice', { number: 77, value: '12.45', pdf }),
    command('p-2', 'ReportPicking', {
      finalOrderPrice: '12.450',
      items: [
        { skuExternalReference: '4711', outcome: 'picked', quantity: { value: 0.298, unit: 'Kg' }, unitPrice: 39.9 },
        { skuExternalReference: 4712, outcome: 'missing', total: 0 },
        { skuExternalReference: '4713', line: 3, outcome: 'missing' },
        { skuExternalReference: '4713', outcome: 'added' },
      ],
    }),
    command('i-2', 'RegisterInvoice', { number: '78', value: 12.44 }, 'refused'),
    command('i-3', 'RegisterInvoice', { number: '79', value: 1, pdf }, 'withdrawn'),
  ];
  expect(askedFigures(commands, [])).toEqual({
    picking: {
      by: 'ReportPicking p-2: applied',
      price: '12.45',
      lines: [
        { sku: '4711', isMissing: false, quantity: '0.298', unit: 'Kg', cost: '11.8902' },
        { sku: '4712', isMissing: true, quantity: null, unit: null, cost: '0.00' },
      ],
    },
    invoice: { by: 'RegisterInvoice i-2: refused', number: '78', value: '12.44' },
    pdf: 'RegisterInvoice i-1: applied',
  });
});

it('an invoice that was registered is known when its command is deleted', () => {
  const invoice = { number: '77', issuedAt: '2026-10-20T10:00:00Z', value: '12.45' };
  const { invoice: asked } = askedFigures([], [{ invoice, isRegistered: true, lostAt: null }]);
  expect(asked).toMatchObject({ number: '77', value: '12.45' });
  expect(askedFigures([], [{ invoice, isRegistered: false, lostAt: null }]).invoice).toBeNull();
});

it('a command that cannot be read says nothing', () => {
  const unreadable = { ...command('p-1', 'ReportPicking', {}), value: null };
  expect(askedFigures([unreadable], []).picking).toEqual({ by: 'ReportPicking p-1: applied', price: null, lines: [] });
});
