import { describe, expect, it } from '@jest/globals';
import { assert, property, string } from 'fast-check';
import { casesOf } from '../../test/conformance/junit-cases.ts';
import { sayIn } from '../texts/texts.ts';
import { type CheckResult, failed, HELD, skipped } from './check.ts';
import { checksReport, junitXml } from './checks-report.ts';

const RESULTS: readonly CheckResult[] = [
  { section: 'Brand', statement: '`name` is text', verdict: HELD, seconds: 0.5 },
  { section: 'SKU', statement: 'a < b & "c"', verdict: failed('1', '2'), seconds: 0 },
  { section: 'Webhook', statement: 'one exists', verdict: skipped('--listen'), seconds: 0 },
];

describe('the report of checks', () => {
  it('has a line for each statement, what was expected and seen, and the counts', () => {
    const { blocks, exit, json } = checksReport(RESULTS, ['Order: `id` is a GUID'], sayIn('pt-BR'));
    expect(exit).toBe(1);
    expect(blocks.map((block) => 'text' in block && block.text)).toEqual([
      'ok       Brand: `name` is text\nFALHOU   SKU: a < b & "c"\n           esperado: 1; visto: 2\npulado   Webhook: one exists\n           --listen',
      '1 valem, 1 falharam, 1 foram puladas.',
      '1 frases do documento não se conferem de fora (--json lista todas).',
    ]);
    expect(json).toMatchObject({ held: 1, failed: 1, skipped: 1, unchecked: 1, notAsked: ['Order: `id` is a GUID'] });
    expect(checksReport(RESULTS.slice(0, 1), [], sayIn('en')).exit).toBe(0);
  });

  it('is well-formed XML for any text', () => {
    assert(
      property(string({ unit: 'binary' }), string({ unit: 'binary' }), (statement, seen) => {
        const [, wrong] = casesOf(
          junitXml('s', [{ ...RESULTS[1]!, statement, verdict: failed('x', seen) }].concat(RESULTS)),
        );
        return wrong?.kind === 'ok';
      }),
    );
    expect(casesOf(junitXml('s', RESULTS)).map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      'ok Brand: `name` is text',
      'failure SKU: a < b & "c"',
      'skipped Webhook: one exists',
    ]);
  });
});
