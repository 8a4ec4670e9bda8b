import { describe, expect, it } from '@jest/globals';
import { ORDER_COMMAND_NAMES, orderCommandQueue } from './order-command-names.ts';

describe('the queues of order commands', () => {
  it('a cancel goes beside the others, and what no command is called waits with them (rule 19)', () => {
    expect(ORDER_COMMAND_NAMES.filter((name) => orderCommandQueue(name) !== 'main')).toEqual(['CancelOrder']);
    expect(orderCommandQueue('constructor')).toBe('main');
  });
});
