import { describe, expect, it } from '@jest/globals';
import {
  type Attempt,
  type AttemptProgress,
  isLost,
  isNameless,
  operationIdsOf,
  withAnswer,
  withAttempt,
  withoutLastAttempt,
} from './attempts.ts';

interface OwnAttempt extends Attempt {
  readonly seenFactId: string;
}

interface OwnProgress extends AttemptProgress<OwnAttempt> {
  readonly body: string;
}

const START: OwnProgress = { attempts: [], blocked: 'paused', body: 'x' };
const AT = '2026-11-20T10:00:00.000Z';

describe('attempts of a command', () => {
  it('are written down without an answer, and then answered', () => {
    const written = withAttempt(START, { at: AT, seenFactId: '7' });
    expect(written).toEqual({
      attempts: [{ at: AT, seenFactId: '7', answer: { kind: 'pending' } }],
      blocked: null,
      body: 'x',
    });
    const answered = withAnswer(withAttempt(written, { at: AT, seenFactId: '9' }), {
      kind: 'unknown',
      cause: 'timeout',
    });
    expect(answered.attempts.map(({ answer }) => answer.kind)).toEqual(['pending', 'unknown']);
    expect(withAnswer(START, { kind: 'unknown', cause: 'x' })).toEqual(START);
  });

  it('that cannot have arrived are none, and say why', () => {
    const written = withAttempt(START, { at: AT, seenFactId: '7' });
    expect(withoutLastAttempt(written, 'throttled')).toEqual({ ...START, blocked: 'throttled' });
  });

  it('are lost while nobody answered, and nameless while no answer named an operation', () => {
    const answers = [
      { kind: 'pending' },
      { kind: 'unknown', cause: 'timeout' },
      { kind: 'accepted', operationId: null },
      { kind: 'accepted', operationId: 'op-1' },
      { kind: 'refused', status: 400, message: 'x' },
    ] as const;
    expect(answers.map((answer) => isLost({ answer }))).toEqual([true, true, false, false, false]);
    expect(answers.map((answer) => isNameless({ answer }))).toEqual([true, true, true, false, false]);
    expect(operationIdsOf({ attempts: answers.map((answer) => ({ at: AT, answer })) })).toEqual(['op-1']);
  });
});
