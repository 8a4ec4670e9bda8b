import { describe, expect, it } from '@jest/globals';
import { headOf, RESEND_QUEUE } from './resend.ts';

const AT = '2026-11-20T13:00:00Z';

const command = (commandId: string, queue: string, firstSentAt: string | null = null) => ({
  commandId,
  queue,
  firstSentAt,
});

describe('whose turn it is in a lane', () => {
  it.each<[string, ReturnType<typeof command>[], string | null]>([
    ['nobody’s, where nothing is open', [], null],
    ['the ERP’s record', [command('erp', 'main')], 'erp'],
    ['what is sent again, where nothing else is open', [command('again', RESEND_QUEUE)], 'again'],
    ['the ERP’s record before it', [command('again', RESEND_QUEUE), command('erp', 'main')], 'erp'],
    ['what was sent again already', [command('again', RESEND_QUEUE, AT), command('erp', 'main')], 'again'],
  ])('is %s', (_what, heads, commandId) => {
    expect(headOf(heads)?.commandId ?? null).toBe(commandId);
  });
});
