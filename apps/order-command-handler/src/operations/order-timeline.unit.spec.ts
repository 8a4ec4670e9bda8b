import { describe, expect, it } from '@jest/globals';
import { NOT_STARTED } from '../commands/command-progress.ts';
import type { PublishedRecord } from '../orders/published-records.repository.ts';
import type { FactSummary } from '../facts/order-fact.ts';
import { orderTimeline } from './order-timeline.ts';

const at = (second: number): string => `2026-11-20T13:00:${String(second).padStart(2, '0')}.000Z`;
const MARKER = { at: at(2), seenFactId: '1', before: { status: 300, ticks: null, hash: '' }, priceBefore: null };

const fact: FactSummary = {
  source: 'notification',
  eventType: 'Order_Updated',
  operationId: 'o-1',
  status: 400,
  updatedAt: '2026-11-20T10:00:03',
  receivedAt: at(3),
  error: null,
};

const event: PublishedRecord = {
  at: new Date(at(3)),
  kind: 'event',
  recordId: 'acme:order:1:2',
  type: 'PreparationStarted',
  revision: 2,
  status: 400,
  commandId: null,
  cause: 'platform',
  outcome: null,
  isCorrection: false,
  reasonCode: null,
  evidence: null,
};

describe('the timeline of an order', () => {
  it('is in order of time; at one time causes come before what they bring about', () => {
    const progress = {
      ...NOT_STARTED,
      attempts: [{ ...MARKER, step: 'status', answer: { kind: 'refused', status: 422, message: 'Cliente Teste 01' } }],
      read: { purpose: 'refusal', at: at(4), attempts: 1, count: 1, status: 300 },
    } as const;
    const commands = [
      { commandId: 'c-1', command: 'StartPreparation', receivedAt: at(1), requestedBy: null, progress },
    ];
    const outcome = {
      ...event,
      kind: 'result',
      type: 'StartPreparation',
      commandId: 'c-1',
      outcome: 'refused',
    } as const;
    const timeline = orderTimeline({ facts: [fact], commands, published: [event, outcome] });
    expect(timeline.map(({ kind }) => kind)).toEqual(['command', 'attempt', 'fact', 'outcome', 'event', 'reading']);
    expect(timeline[1]).toMatchObject({ step: 'status', answer: { kind: 'refused', status: 422 } });
    expect(JSON.stringify(timeline)).not.toContain('Cliente');
  });

  it('shows an attempt without an answer as one', () => {
    const attempts = [{ ...MARKER, step: 'cancel', answer: { kind: 'pending' } }] as const;
    const progress = { ...NOT_STARTED, attempts };
    const commands = [{ commandId: 'c-1', command: 'CancelOrder', receivedAt: at(1), requestedBy: null, progress }];
    const timeline = orderTimeline({ facts: [], commands, published: [] });
    expect(timeline).toMatchObject([{ kind: 'command' }, { kind: 'attempt', answer: null }]);
  });
});
