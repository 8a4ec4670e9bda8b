import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';

import type { Logger } from '@gondola/service-kit/logging/logger';
import { buildResult, type Result, type ResultParts } from '@gondola/shared/results/result';

import { CommandReport } from './command-report.ts';

const PARTS: ResultParts = {
  tenant: 'acme',
  inputTopic: 'erp.orders.commands.v1',
  commandId: 'c-1',
  command: 'Ship',
  entity: { kind: 'order', orderNumber: 7 },
  outcome: 'applied',
  time: '2026-11-20T10:00:00.000Z',
  receivedAt: '2026-11-20T09:00:00.000Z',
};

function reportWith() {
  const registry = new Registry();
  const lines: [Record<string, unknown>, string][] = [];
  const logger = { info: (fields: Record<string, unknown>, text: string) => lines.push([fields, text]) };
  const options = {
    counter: { name: 'ended_total', help: 'Ended', labelNames: ['command', 'outcome'] },
    labelsOf: ({ final, outcome }: Result, command: string) => (final ? { command, outcome } : null),
    isCommandName: (name: string) => name === 'Ship',
  };
  const report = new CommandReport(options, registry, logger as unknown as Logger);
  const save = (more: Partial<ResultParts>): void =>
    report.saved([{ result: buildResult({ ...PARTS, ...more }), traceparent: 't' }]);
  return { registry, lines, save };
}

describe('CommandReport', () => {
  it('logs each result with its entity and counts it under the app’s labels', async () => {
    const { registry, lines, save } = reportWith();
    save({});
    save({ outcome: 'waiting', entity: { kind: 'sku', externalReference: 's' } });
    expect(lines).toMatchObject([
      [{ tenant: 'acme', orderNumber: 7, commandId: 'c-1', command: 'Ship', outcome: 'applied' }, 'A command ended'],
      [{ skuExternalReference: 's', outcome: 'waiting' }, 'A command waits'],
    ]);
    expect(await registry.metrics()).toContain('ended_total{command="Ship",outcome="applied"} 1');
  });

  it('shows how long a command took to its final result', async () => {
    const { registry, save } = reportWith();
    save({ outcome: 'waiting' });
    save({});
    const shown = await registry.metrics();
    const labels = 'kind="order",command="Ship",outcome="applied"';
    expect(shown).toContain(`gondola_outcome_latency_seconds_sum{${labels}} 3600`);
    expect(shown).toContain(`gondola_outcome_latency_seconds_count{${labels}} 1`);
    expect(shown).not.toContain('outcome="waiting"} 1');
  });

  it('counts the attempts beyond the first one, once for each command', async () => {
    const { registry, save } = reportWith();
    save({ attempts: 3, outcome: 'unconfirmed' });
    save({ attempts: 3, outcome: 'corrected', correctedOutcome: 'applied' });
    save({ attempts: 1 });
    save({ attempts: 0 });
    const shown = await registry.metrics();
    expect(shown).toContain('gondola_attempts_repeated_total{kind="order",command="Ship"} 2');
  });

  it('shows no command name that an ERP invented', async () => {
    const { registry, lines, save } = reportWith();
    save({ command: '111.222.333-44' });
    expect(JSON.stringify(lines)).not.toContain('111');
    expect(await registry.metrics()).toContain('command="other"');
  });
});
