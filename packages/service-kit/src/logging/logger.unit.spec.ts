import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.ts';
import type { Logger } from './logger.ts';
import { NestPinoLogger } from './nest-pino-logger.ts';

const CANARIES = [
  'Cliente Teste 01',
  '529.982.247-25',
  '52998224725',
  'cliente@example.com',
  '91234-5678',
  'Rua das Flores',
];

function recorded(write: (logger: Logger) => void): { lines: Record<string, unknown>[]; text: string } {
  const lines: string[] = [];
  write(createLogger({ app: 'kit', level: 'trace', destination: { write: (line) => lines.push(line) } }));
  return { lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>), text: lines.join('') };
}

describe('the logger', () => {
  it('writes known fields, the level by name and the time in ISO', () => {
    const { lines } = recorded((logger) =>
      logger.info({ tenant: 'acme', orderNumber: 100_234, epoch: 7n }, 'Order %s', 'told'),
    );
    expect(lines[0]).toMatchObject({
      app: 'kit',
      level: 'info',
      tenant: 'acme',
      orderNumber: 100_234,
      epoch: '7',
      msg: 'Order told',
    });
    expect(lines[0]?.['time']).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('drops fields that are not on the list and counts them', () => {
    const { lines } = recorded((logger) =>
      logger.info({ tenant: 'acme', customer: 'x', email: 'y', unset: undefined }, 'm'),
    );
    expect(lines[0]).toMatchObject({ tenant: 'acme', dropped: 2 });
    expect(lines[0]).not.toHaveProperty('customer');
  });

  it('reduces an error to name, code and message, under any of its names', () => {
    const error = Object.assign(new Error('failed for cliente@example.com'), {
      code: 'E1',
      payload: 'Cliente Teste 01',
    });
    const { lines } = recorded((logger) => {
      logger.error(error);
      logger.error({ err: error });
      logger.error({ cause: error }, 'Failed');
    });
    const safe = { name: 'Error', code: 'E1', message: 'failed for [removed]' };
    expect(lines[0]).toMatchObject({ err: safe, msg: safe.message });
    expect(lines[1]).toMatchObject({ err: safe });
    expect(lines[2]).toMatchObject({ cause: safe, msg: 'Failed' });
  });

  it('bounds every string and every list', () => {
    const { lines } = recorded((logger) =>
      logger.info(
        { reason: 'r'.repeat(9_000), topic: 't'.repeat(9_000), operationIds: Array(99).fill('o') },
        'm'.repeat(9_000),
      ),
    );
    expect(JSON.stringify(lines[0]).length).toBeLessThan(2_000);
  });

  // The guarantee of this file: a customer's data is never logged, whatever is passed by mistake.
  it.each<[string, (logger: Logger, value: string) => void]>([
    ['as an unknown field', (logger, value) => logger.info({ name: value }, 'm')],
    ['inside a known field', (logger, value) => logger.info({ items: [{ name: value }], state: { value } }, 'm')],
    ['as a record', (logger, value) => logger.info({ value: { customer: { document: value } } }, 'm')],
    ['as an object in a message', (logger, value) => logger.info('got %o', { value })],
    ['as an object alone', (logger, value) => logger.info({ value })],
    ['as a field of an error', (logger, value) => logger.error(Object.assign(new Error('x'), { detail: value }), 'm')],
    ['as the value that JSON.parse quotes', (logger, value) => logger.error({ err: syntaxErrorOf(value) })],
    ['bound to a child', (logger, value) => logger.child({ customer: value }).info('m')],
    [
      'bound to a grandchild',
      (logger, value) => logger.child({ tenant: 'a' }).child({ customer: value }).info({ value }, 'm'),
    ],
    ['as later bindings', (logger, value) => (logger.setBindings({ customer: value }), logger.info('m'))],
    ['by Nest', (logger, value) => new NestPinoLogger(logger).error({ value }, value, 'Context')],
  ])('keeps personal data out %s', (_how, write) => {
    for (const canary of CANARIES) {
      const { text, lines } = recorded((logger) => write(logger, canary));
      expect(lines).toHaveLength(1);
      expect(text).not.toContain(canary);
    }
  });

  it.each<[string, (logger: Logger, value: string) => void]>([
    ['in a message', (logger, value) => logger.info(`told ${value}`)],
    ['in an argument of a message', (logger, value) => logger.info('told %s', value)],
    ['in the message of an error', (logger, value) => logger.error(new Error(`no: ${value}`))],
    ['in a reason', (logger, value) => logger.error({ reason: value }, 'm')],
    ['by Nest', (logger, value) => new NestPinoLogger(logger).warn(`Cannot GET /x?mail=${value}`, 'Router')],
  ])('scrubs numbers and addresses %s', (_how, write) => {
    for (const canary of CANARIES.slice(1, -1)) {
      const { text } = recorded((logger) => write(logger, canary));
      expect(text).not.toContain(canary);
    }
  });
});

describe('NestPinoLogger', () => {
  it("keeps Nest's levels and context, and its boot lines for developers", () => {
    const { lines } = recorded((logger) => {
      const nest = new NestPinoLogger(logger);
      nest.log('Mapped {/x, GET} route', 'RouterExplorer');
      nest.log('said', 'MyService');
      nest.error(new Error('no'), 'a stack', 'MyService');
      nest.fatal('end');
      nest.verbose('v', 'MyService');
      nest.debug('d', 'MyService');
    });
    expect(lines.map(({ level, context }) => [level, context])).toEqual([
      ['debug', 'RouterExplorer'],
      ['info', 'MyService'],
      ['error', 'MyService'],
      ['fatal', undefined],
      ['trace', 'MyService'],
      ['debug', 'MyService'],
    ]);
    expect(JSON.stringify(lines)).not.toContain('a stack');
  });
});

function syntaxErrorOf(text: string): unknown {
  try {
    return JSON.parse(text.replaceAll(/\d/g, 'x'));
  } catch (error) {
    return error;
  }
}
