import { describe, expect, it } from '@jest/globals';
import { waitFor } from './wait-for.ts';

const failing = () => Promise.reject(new Error('the gauge is broken'));
const hanging = () => new Promise<boolean>(() => {});
const SHORT = { describe: 'the tide', timeoutMs: 60 };
const LONG = { ...SHORT, timeoutMs: 15_000 };

describe('waiting for a condition', () => {
  it('returns the first truthy answer', async () => {
    const answers = [undefined, '', 0, 'high water', 'low water'];
    expect(await waitFor(() => answers.shift(), LONG)).toBe('high water');
  });

  it('asks again after an error', async () => {
    let asked = 0;
    const condition = () => {
      asked += 1;
      if (asked < 3) throw new Error('not yet');
      return asked;
    };
    expect(await waitFor(condition, LONG)).toBe(3);
  });

  it('reports what was awaited and what was seen last', async () => {
    await expect(waitFor(() => false, SHORT)).rejects.toMatchObject({
      code: 'WAIT_TIMEOUT',
      message: 'Waited 60 ms in vain for the tide; last value: false',
    });
    await expect(waitFor(failing, SHORT)).rejects.toMatchObject({
      message: 'Waited 60 ms in vain for the tide; last error: the gauge is broken',
      cause: new Error('the gauge is broken'),
    });
  });

  it('ends in time if the condition hangs', async () => {
    await expect(waitFor(hanging, SHORT)).rejects.toThrow('it was never answered');
  });
});
