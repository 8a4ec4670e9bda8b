import { describe, expect, it } from '@jest/globals';
import { outputIn, sameForEveryRun } from './readme-output.ts';

const README = [
  '# x',
  '<!-- output of npm run demo, compared by demo/loop.long.spec.ts -->',
  '',
  '```',
  '✓ one   12 ms',
  '  a note',
  '```',
  '',
  '<!-- end of output -->',
  'more',
].join('\n');

describe('the output in the README', () => {
  it('stands between its marks', () => {
    expect(outputIn(README)).toEqual(['✓ one   12 ms', '  a note']);
  });

  it('is compared by its steps, not by times, addresses, numbers of orders and kinds of evidence', () => {
    const one = [
      '  Kafka listens on 127.0.0.1:1',
      '✓ buys: order 100001      8 ms',
      '✓ Ship applied, evidence event  1.2 s',
    ];
    const other = [
      '  Kafka is used on 127.0.0.1:2',
      '✓ buys: order 100007      12 ms',
      '✓ Ship applied, evidence read-back  826 ms',
      '',
    ];
    expect(sameForEveryRun(one)).toEqual(sameForEveryRun(other));
    expect(sameForEveryRun(one)).not.toEqual(
      sameForEveryRun(['✓ buys: order 1', '✓ Ship refused, evidence event  1 s']),
    );
  });

  it('is reported as missing without its marks', () => {
    expect(() => outputIn('# x')).toThrow('lost the marks');
  });
});
