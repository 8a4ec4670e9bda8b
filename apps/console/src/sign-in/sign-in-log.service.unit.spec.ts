import { createLogger } from '@gondola/service-kit/logging/logger';
import { describe, expect, it } from '@jest/globals';
import { SignInLog } from './sign-in-log.service.ts';

function loggedName(name: string | null): unknown {
  const lines: string[] = [];
  const logger = createLogger({ app: 'console', level: 'info', destination: { write: (line) => lines.push(line) } });
  new SignInLog(logger).refused({ method: 'password', name, address: '203.0.113.7' });
  expect(lines).toHaveLength(1);
  const line = JSON.parse(lines[0]!) as Record<string, unknown>;
  expect(line).toMatchObject({ level: 'warn', method: 'password', callerAddress: '203.0.113.7' });
  return line['operator'];
}

describe('the name of a refused sign-in in the log', () => {
  it.each([
    ['maria', 'maria'],
    ['ma\u202Eri\r\na\u0000', 'maria'],
    ['cliente@example.com', '[removed]'],
    ['529.982.247-25', '[removed]'],
    ['', null],
    [null, null],
  ])('is scrubbed: %j', (name, logged) => {
    expect(loggedName(name)).toBe(logged);
  });

  it('is cut after 100 characters', () => {
    expect(loggedName('x'.repeat(1_000))).toMatch(/^x{100}$/);
  });
});
