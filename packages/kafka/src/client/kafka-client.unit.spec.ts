import { describe, expect, it } from '@jest/globals';

import { deepFreeze } from '@gondola/service-kit/config/config';

import { connectionOf, createKafka } from './kafka-client.ts';
import { recordingLogger } from '../testing/quiet-logger.ts';

/** The frozen objects in a value, at any depth. */
function frozenIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(Object.isFrozen(value) ? [value] : []), ...Object.values(value).flatMap(frozenIn)];
}

describe('the connection of a Kafka client', () => {
  it('has nothing of the frozen configuration, because kafkajs writes into it', () => {
    const sasl = { mechanism: 'plain', username: 'u', password: 'p' } as const;
    const settings = deepFreeze({ brokers: ['127.0.0.1:1'], ssl: { ca: 'PEM' }, sasl });
    expect(connectionOf(settings)).toEqual(settings);
    expect(frozenIn(connectionOf(settings))).toEqual([]);
  });
});

describe('the log of a Kafka client', () => {
  it('has the message and known harmless fields, and no other field of kafkajs', () => {
    const { logger, lines } = recordingLogger();
    const log = createKafka({ brokers: ['127.0.0.1:1'], ssl: false }, 'messaging-tests', logger).logger();
    log.namespace('Consumer').error('Could not fetch', {
      groupId: 'gondola.order-command-handler',
      topic: 'erp.orders.commands.v1',
      error: 'Connection closed',
      payload: 'Cliente Teste 01',
      stack: 'Error: Cliente Teste 01',
    });
    expect(lines).toMatchObject([
      {
        level: 'warn',
        msg: 'Could not fetch: Connection closed',
        component: 'kafkajs Consumer',
        group: 'gondola.order-command-handler',
        topic: 'erp.orders.commands.v1',
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('Cliente');
  });

  it('logs routine events only when asked for details', () => {
    const { logger, lines } = recordingLogger();
    createKafka({ brokers: ['127.0.0.1:1'], ssl: false }, 'messaging-tests', logger)
      .logger()
      .info('Stopped');
    expect(lines).toMatchObject([{ level: 'debug', msg: 'Stopped' }]);
  });
});
