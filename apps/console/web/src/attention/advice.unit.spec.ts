import { describe, expect, it } from '@jest/globals';
import { adviceOnLetters, adviceOnNotices } from './advice.ts';

const COMMANDS = 'erp.orders.commands.v1';

describe('adviceOnLetters', () => {
  it.each([
    ['NOT_JSON', COMMANDS, 'erp', 'corrected'],
    ['TENANT_UNKNOWN', 'erp.catalog.products.v1', 'erp', 'shop'],
    ['RECORD_TOO_LARGE', COMMANDS, 'erp', 'size'],
    ['PROCESSING_FAILED', COMMANDS, 'engineer', 'failure'],
    ['IDENTITY_MISSING', 'platform.notifications.orders.v1', 'engineer', 'failure'],
    ['NOT_JSON', 'erp.files.results.v1', 'engineer', 'failure'],
    ['A_NEW_CODE', COMMANDS, 'erp', 'corrected'],
  ])('%s of %s is work of %s', (reason, topic, who, todo) => {
    expect(adviceOnLetters({ reason, topic })).toEqual({ who, todo, mayRetry: true });
  });

  it('does not offer to try a batch again that cannot be read', () => {
    expect(adviceOnLetters({ reason: 'BATCH_UNREADABLE', topic: COMMANDS })).toMatchObject({ mayRetry: false });
  });
});

describe('adviceOnNotices', () => {
  it('says which of the shop’s settings is wrong, else that the notice is unknown', () => {
    const todos = ['TENANT_MISMATCH', 'NOT_STORABLE', 'NOT_JSON'].map((reason) => adviceOnNotices({ reason }).todo);
    expect(todos).toEqual(['shop', 'stored', 'notice']);
  });
});
