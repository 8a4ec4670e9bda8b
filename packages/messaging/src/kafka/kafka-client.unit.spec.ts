import { describe, expect, it } from '@jest/globals';

import { createKafka } from './kafka-client.ts';
import { recordingLogger } from '../testing/quiet-logger.ts';

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
