import { isPlainRecord } from '@gondola/shared/json-digits';

/** What became of one sending. `pending`: written down before the call; found again, it says that the process ended in between. */
export type SendingAnswer =
  | { readonly kind: 'pending' }
  | { readonly kind: 'accepted'; readonly operationId: string | null }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'unknown'; readonly cause: string };

/** One call that may have reached the platform's queue. */
export interface Sending {
  /** RFC 3339. */
  readonly at: string;
  /** The newest fact stored when it was written down: what was seen before is no answer to it (rule 10). */
  readonly seenFactId: string;
  /** The status at that time, and its recency. */
  readonly before: StatusBefore;
  readonly answer: SendingAnswer;
}

export interface StatusBefore {
  readonly status: number;
  /** Decimal text of 100 ns; null where the fact had no date. */
  readonly ticks: string | null;
  readonly hash: string;
}

/** Why the status was read. */
export type ReadPurpose = 'lost-answer' | 'refusal' | 'deadline';

export interface StatusRead {
  readonly purpose: ReadPurpose;
  readonly at: string;
  /** How many sendings there were. */
  readonly sendings: number;
  /** Null where the platform does not know the order or says no. */
  readonly status: number | null;
}

/** What a command went through, as it is kept between two lane steps. */
export interface CommandProgress {
  readonly sendings: readonly Sending[];
  /** The last reading; null before the first. */
  readonly read: StatusRead | null;
  /** Why the next call could not be made yet; null when nothing is in its way. Shown to operators, decides nothing. */
  readonly blocked: string | null;
}

export const NOT_STARTED: CommandProgress = { sendings: [], read: null, blocked: null };

/** Progress from its JSON text. Only this app writes it, so another form is a bug. */
export function progressFromText(text: string | null): CommandProgress {
  if (text === null) return NOT_STARTED;
  const value: unknown = JSON.parse(text);
  if (!isPlainRecord(value) || !Array.isArray(value['sendings'])) throw new Error('Stored progress has another form');
  return value as unknown as CommandProgress;
}

export function withSending(progress: CommandProgress, sending: Omit<Sending, 'answer'>): CommandProgress {
  return { ...progress, blocked: null, sendings: [...progress.sendings, { ...sending, answer: { kind: 'pending' } }] };
}

/** The answer of the last sending. */
export function withAnswer(progress: CommandProgress, answer: SendingAnswer): CommandProgress {
  const last = progress.sendings.at(-1);
  if (last === undefined) return progress;
  return { ...progress, sendings: [...progress.sendings.slice(0, -1), { ...last, answer }] };
}

/** The last call cannot have reached the platform's queue, so it was no sending. */
export function withoutLastSending(progress: CommandProgress, cause: string): CommandProgress {
  return { ...progress, blocked: cause, sendings: progress.sendings.slice(0, -1) };
}

export function withRead(progress: CommandProgress, read: Omit<StatusRead, 'sendings'>): CommandProgress {
  return { ...progress, blocked: null, read: { ...read, sendings: progress.sendings.length } };
}

/** The operations that the platform gave us for this command, first ones first. */
export function operationIdsOf(progress: CommandProgress): string[] {
  return progress.sendings.flatMap(({ answer }) =>
    answer.kind === 'accepted' && answer.operationId !== null ? [answer.operationId] : [],
  );
}
