import { describe, expect, it } from '@jest/globals';

import { handlerProblems } from './topic-handler.ts';

const app = 'order-command-handler';

describe('handlerProblems', () => {
  it('is empty if each topic has one handler', () => {
    expect(handlerProblems(app, ['erp.orders.commands.v1'], new Map([['erp.orders.commands.v1', 1]]))).toEqual([]);
  });

  it('names app and topic for each topic with a missing, repeated or needless handler', () => {
    const handlers = new Map([
      ['catalog.skus.v1', 2],
      ['erp.files.results.v1', 1],
    ]);
    expect(handlerProblems(app, ['erp.orders.commands.v1', 'catalog.skus.v1'], handlers)).toEqual([
      'order-command-handler reads erp.orders.commands.v1, but none of its controllers has a @TopicHandler for it.',
      'order-command-handler has 2 handlers for catalog.skus.v1; a topic has exactly one.',
      'order-command-handler has a handler for erp.files.results.v1, which is not among the topics that it reads.',
    ]);
  });
});
