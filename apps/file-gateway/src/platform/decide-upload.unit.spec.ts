import type { AttemptAnswer } from '@gondola/shared/commands/attempts';
import { decisionOf, LOST, PENDING } from '@gondola/shared/testing/decisions';
import { describe, expect, it } from '@jest/globals';
import {
  failureOf,
  readingOf,
  SENT_AT_MS,
  attemptOf,
  situationAfter,
  UPLOAD_SETTINGS,
} from '../../test/support/uploads.ts';
import { decideUpload } from './decide-upload.ts';

const decide = decisionOf(decideUpload, situationAfter, UPLOAD_SETTINGS);
const accepted = (operationId: string | null): AttemptAnswer => ({ kind: 'accepted', operationId });
const REFUSED: AttemptAnswer = { kind: 'refused', status: 400, message: 'Apenas arquivos PDF são permitidos' };
const sent = (answer: AttemptAnswer) => ({ attempts: [attemptOf(answer)] });

const unclear = (afterMs: number) => readingOf('unclear', afterMs);

const endOf = (answer: AttemptAnswer) => ({
  attempts: [attemptOf(answer), attemptOf(LOST, 1), attemptOf(LOST, 2)],
  reading: readingOf('unclear', 900_000, { attempts: 3, afterDeadline: true }),
});

const silent = (seen: 'none' | 'some') => ({
  ...sent(accepted('op-1')),
  reading: readingOf(seen, 299_000, { count: 9 }),
});

describe('an upload before it is sent', () => {
  it('is looked for first, and sent only on a fresh reading (rule 15)', () => {
    expect(decide({})).toEqual({ kind: 'read' });
    const reading = readingOf('none', 0, { attempts: 0 });
    expect(decide({ reading }, 10_000)).toEqual({ kind: 'send' });
    expect(decide({ reading }, 10_001)).toEqual({ kind: 'read' });
  });

  it('is not sent where it is there already (rule 15)', () => {
    expect(decide({ reading: readingOf('all', 0, { attempts: 0 }) })).toEqual({ kind: 'already-there' });
  });
});

describe('an upload that was accepted', () => {
  it('is read back soon, then at growing intervals, until it is seen', () => {
    expect(decide(sent(accepted('op-1')), 100)).toEqual({ kind: 'wait', ms: 400 });
    expect(decide(sent(accepted('op-1')), 500)).toEqual({ kind: 'read' });
    const third = { ...sent(accepted('op-1')), reading: readingOf('none', 2_000, { count: 3 }) };
    expect(decide(third, 2_000)).toEqual({ kind: 'wait', ms: 2_000 });
    const seen = { ...sent(accepted('op-1')), reading: readingOf('all', 4_000, { count: 4 }) };
    expect(decide(seen, 4_000)).toEqual({ kind: 'applied' });
  });

  it('is never sent again, since a second one would add to the first', () => {
    const reading = readingOf('none', 890_000, { count: 30 });
    expect(decide({ ...sent(accepted('op-1')), reading }, 890_000)).toEqual({ kind: 'wait', ms: 10_000 });
  });

  it('is sent again after a while if it replaces another file, and only if nothing of it is seen (rule 15)', () => {
    const decideAgain = decisionOf(decideUpload, situationAfter, { ...UPLOAD_SETTINGS, resendSilentMs: 300_000 });
    expect(decideAgain(silent('none'), 300_000)).toEqual({ kind: 'send' });
    expect(decideAgain(silent('some'), 300_000)).toMatchObject({ kind: 'wait' });
    expect(decideAgain(silent('none'), 299_999)).toMatchObject({ kind: 'wait' });
  });

  it('ends unconfirmed at the deadline, after one more reading that shows nothing (rule 5)', () => {
    const late = { ...sent(accepted('op-1')), reading: readingOf('none', 880_000, { count: 30 }) };
    expect(decide(late, 900_000)).toEqual({ kind: 'read' });
    const last = readingOf('some', 900_000, { afterDeadline: true });
    expect(decide({ ...late, reading: last }, 900_000)).toEqual({ kind: 'unconfirmed' });
    const unreadable = { ...late, deadlineInMs: -UPLOAD_SETTINGS.readGraceMs, failedReadAtMs: SENT_AT_MS + 1_799_000 };
    expect(decide(unreadable, 1_800_000)).toEqual({ kind: 'unconfirmed' });
  });

  it('is read once before it ends, however long catching up took (rule 5)', () => {
    const late = { ...sent(accepted('op-1')), deadlineInMs: -UPLOAD_SETTINGS.readGraceMs };
    expect(decide(late, 1_800_000)).toEqual({ kind: 'read' });
    // A reading that failed before the deadline does not count for the grace period.
    expect(decide({ ...late, failedReadAtMs: SENT_AT_MS + 899_999 }, 1_800_000)).toEqual({ kind: 'read' });
    expect(decide({ ...late, failedReadAtMs: SENT_AT_MS + 1_799_000 }, 1_800_000)).toEqual({ kind: 'unconfirmed' });
    const refused = { ...late, ...sent(REFUSED) };
    expect(decide(refused, 1_800_000)).toEqual({ kind: 'read' });
    expect(decide({ ...refused, failedReadAtMs: SENT_AT_MS + 1_799_000 }, 1_800_000)).toMatchObject({
      kind: 'refused',
    });
  });

  it('does not end while notifications wait to be consumed (rule 5)', () => {
    const late = { ...sent(accepted('op-1')), reading: readingOf('none', 900_000, { afterDeadline: true }) };
    expect(decide({ ...late, consumedUpToMs: SENT_AT_MS + 899_999 }, 901_000)).toEqual({
      kind: 'catch-up',
      untilMs: SENT_AT_MS + 900_000,
    });
    expect(decide({ ...late, consumedUpToMs: null }, 901_000)).toEqual({
      kind: 'catch-up',
      untilMs: SENT_AT_MS + 900_000,
    });
    expect(decide({ ...late, consumedUpToMs: SENT_AT_MS + 900_000 }, 901_000)).toEqual({ kind: 'unconfirmed' });
  });
});

describe('an upload whose answer was lost', () => {
  it.each([
    ['by a time-out', LOST],
    ['with its process', PENDING],
  ])('%s is read twice before it is sent again (rule 16)', (_, answer) => {
    expect(decide(sent(answer), 4_000)).toEqual({ kind: 'wait', ms: 1_000 });
    expect(decide(sent(answer), 5_000)).toEqual({ kind: 'read' });
    const once = readingOf('none', 5_000);
    expect(decide({ ...sent(answer), reading: once }, 5_000)).toEqual({ kind: 'wait', ms: 500 });
    expect(decide({ ...sent(answer), reading: once }, 5_500)).toEqual({ kind: 'read' });
    const twice = readingOf('none', 5_500, { count: 2 });
    expect(decide({ ...sent(answer), reading: twice }, 5_500)).toEqual({ kind: 'send' });
    expect(decide({ ...sent(answer), reading: readingOf('all', 5_000) }, 5_000)).toEqual({ kind: 'applied' });
  });

  it('is not sent again when a part of it is seen (rule 16)', () => {
    expect(decide({ ...sent(LOST), reading: readingOf('some', 5_000) }, 5_000)).toEqual({ kind: 'wait', ms: 500 });
  });

  it('is sent three times at most, the last time when two thirds of the deadline are over (rules 15, 16)', () => {
    const twice = [attemptOf(LOST), attemptOf(LOST, 5_000)];
    expect(decide({ attempts: twice, reading: readingOf('none', 5_000) }, 9_000)).toEqual({ kind: 'wait', ms: 1_000 });
    const early = readingOf('none', 15_000, { attempts: 2 });
    expect(decide({ attempts: twice, reading: early }, 15_000)).toMatchObject({ kind: 'wait' });
    const lateMs = (UPLOAD_SETTINGS.deadlineMs * 2) / 3;
    const read = readingOf('none', lateMs, { attempts: 2, count: 2 });
    expect(decide({ attempts: twice, reading: read }, lateMs)).toEqual({ kind: 'send' });
    const thrice = [...twice, attemptOf(LOST, lateMs)];
    const last = readingOf('none', lateMs + 20_000, { attempts: 3 });
    expect(decide({ attempts: thrice, reading: last }, lateMs + 20_000)).toMatchObject({ kind: 'wait' });
  });
});

describe('an upload that is refused', () => {
  it('by its answer is read once, and refused unless it is there (rules 16, 17)', () => {
    expect(decide(sent(REFUSED))).toEqual({ kind: 'read' });
    const reading = readingOf('none', 10, { afterRefusal: true });
    expect(decide({ ...sent(REFUSED), reading }, 10)).toMatchObject({
      kind: 'refused',
      refusal: { evidence: 'none', platform: { statusCode: 400, message: 'Apenas arquivos PDF são permitidos' } },
    });
    expect(decide({ ...sent(REFUSED), reading: { ...reading, seen: 'all' } }, 10)).toEqual({ kind: 'applied' });
  });

  it('by an event of its operation is refused at once after a reading (rules 5, 16)', () => {
    const failures = [failureOf({ operationId: 'op-1' })];
    expect(decide({ ...sent(accepted('op-1')), failures }, 1_000)).toEqual({ kind: 'read' });
    const reading = readingOf('none', 1_000, { afterRefusal: true });
    const end = decide({ ...sent(accepted('op-1')), failures, reading }, 1_000);
    expect(end).toMatchObject({ kind: 'refused', refusal: { evidence: 'event', platform: { statusCode: 422 } } });
  });

  it('by an event that names only its entity counts when a later reading shows nothing, and no operation was named (rule 16)', () => {
    const nameless = { ...sent(accepted(null)), failures: [failureOf()] };
    expect(decide(nameless, 2_000)).toEqual({ kind: 'wait', ms: 4_000 });
    const early = readingOf('none', 2_000, { afterRefusal: true });
    expect(decide({ ...nameless, reading: early }, 6_000)).toEqual({ kind: 'read' });
    const settled = readingOf('none', 6_000, { afterRefusal: true, count: 2 });
    expect(decide({ ...nameless, reading: settled }, 6_000)).toMatchObject({ kind: 'refused' });
    expect(decide({ ...sent(accepted('op-1')), failures: [failureOf()] }, 6_000)).toEqual({ kind: 'read' });
  });

  it.each([
    ['that was stored before it was sent', { id: '10' }],
    ["of another command's operation", { isOfAnother: true }],
    ['of another kind', { eventType: 'Order_CancelFailed' }],
  ])('is not so by an event %s (rule 16)', (_, more) => {
    const situation = { ...sent(accepted(null)), failures: [failureOf(more)], reading: readingOf('none', 500) };
    expect(decide(situation, 500)).toEqual({ kind: 'wait', ms: 500 });
  });
});

describe('a file that takes the place of another', () => {
  it('is presumed when nothing shows it and nothing refused it for a while (rule 5)', () => {
    expect(decide({ ...sent(accepted(null)), reading: unclear(1_000) }, 1_000)).toEqual({ kind: 'wait', ms: 500 });
    expect(decide({ ...sent(accepted(null)), reading: unclear(29_900) }, 29_900)).toEqual({ kind: 'wait', ms: 100 });
    expect(decide({ ...sent(accepted(null)), reading: unclear(29_900) }, 30_000)).toEqual({ kind: 'read' });
    expect(decide({ ...sent(accepted(null)), reading: unclear(30_000) }, 30_000)).toEqual({ kind: 'presumed' });
  });

  it('is not presumed while refusals may wait in Kafka (rule 5)', () => {
    const behind = { ...sent(accepted(null)), reading: unclear(30_000), consumedUpToMs: SENT_AT_MS + 29_999 };
    expect(decide(behind, 30_000)).toEqual({ kind: 'catch-up', untilMs: SENT_AT_MS + 30_000 });
  });

  it('is sent again after a lost answer, and is unconfirmed if no attempt was accepted (rule 16)', () => {
    const twice = { ...unclear(5_000), count: 2 };
    expect(decide({ ...sent(LOST), reading: twice }, 5_000)).toEqual({ kind: 'send' });
    expect(decide(endOf(LOST), 900_000)).toEqual({ kind: 'unconfirmed' });
    expect(decide(endOf(accepted(null)), 900_000)).toEqual({ kind: 'presumed' });
  });
});
