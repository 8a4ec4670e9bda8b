import { Body, Controller, Inject, Module, Post } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '../run/create-app.ts';
import { ask, shelfApp } from '../testing/shelf-app.ts';
import { auditAsked } from './audit.ts';
import { LOGGER, type Logger } from './logger.ts';
import { currentOperator, operatorName } from './operator.ts';

@Controller()
class DeskController {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  @Post(['api/orders', 'orders'])
  async order(@Body() _body: unknown): Promise<{ operator: string | null }> {
    await Promise.resolve();
    auditAsked(this.logger, { command: 'ReleaseOrder', commandId: 'c', tenant: 'acme', orderNumber: '1' });
    return { operator: currentOperator() };
  }
}

@Module({ controllers: [DeskController] })
class DeskModule {}

let running: RunningApp | undefined;
const lines: string[] = [];

afterEach(async () => {
  await running?.stop();
  running = undefined;
  lines.splice(0);
});

async function post(path: string, headers: Record<string, string>) {
  running ??= await shelfApp(lines, { module: DeskModule });
  await running.listen();
  const json = { 'content-type': 'application/json' };
  return ask(running, path, { method: 'POST', body: '{"long":"body"}', headers: { ...json, ...headers } });
}

describe('the operator of a call', () => {
  it('is the one that the header names, also behind a body, and stands in the audit log', async () => {
    const { body } = await post('/api/orders', { 'x-gondola-operator': 'Jos%C3%A9%20da%20Silva' });
    expect(body).toEqual({ operator: 'José da Silva' });
    expect(lines.join('')).toContain('"operator":"José da Silva"');
  });

  it('is nobody without the header, and on routes that take no token', async () => {
    expect((await post('/api/orders', {})).body).toEqual({ operator: null });
    expect((await post('/orders', { 'x-gondola-operator': 'maria' })).body).toEqual({ operator: null });
  });

  it.each(['%E0%A4%A', 'a%0Ab', '%E2%80%AEevil', 'x'.repeat(101), ''])('is refused as %j', async (header) => {
    expect((await post('/api/orders', { 'x-gondola-operator': header })).status).toBe(400);
  });
});

describe('the name of an operator', () => {
  it('has no character that does not print or turns text around', () => {
    expect(operatorName('José\u202E\u0000\r\nda Silva ')).toBe('Joséda Silva');
  });

  it('has at most 100 characters, and is none of blanks', () => {
    expect(operatorName('é'.repeat(200))).toHaveLength(100);
    expect(operatorName(' \u200B ')).toBe(null);
  });
});
