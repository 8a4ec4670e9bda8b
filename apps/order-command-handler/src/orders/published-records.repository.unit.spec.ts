import { describe, expect, it } from '@jest/globals';
import { invalidWhole } from '@gondola/shared/results/conclusion';
import { reasonOf } from '@gondola/shared/outcomes/reason-codes';
import { publishedCorrection } from './published-records.repository.ts';

describe('the remainder of a correction that was published', () => {
  it('names the true outcome, under the key of the result that corrects', () => {
    const conclusion = { ...invalidWhole(reasonOf('ORDER_CANCELLED', 'en')), revision: 4 };
    const record = publishedCorrection({ commandId: 'c-1', command: 'Ship', conclusion }, 'acme', new Date(0));
    expect(record).toMatchObject({
      kind: 'result',
      recordId: 'acme:result:erp.orders.commands.v1:c-1:corrected',
      type: 'Ship',
      commandId: 'c-1',
      outcome: 'invalid',
      isCorrection: true,
      reasonCode: 'ORDER_CANCELLED',
      revision: 4,
    });
  });
});
