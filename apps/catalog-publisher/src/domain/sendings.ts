import { type JsonRecord, stringifyWithDigits } from '@gondola/shared/json/json-digits';

/**
 * What became of one sending; `at`: RFC 3339, when the answer came. `pending`: written down before the call; found
 * again, it says that the process ended in between.
 */
export type SendingAnswer =
  | { readonly kind: 'pending' }
  | { readonly kind: 'accepted'; readonly operationId: string | null; readonly at: string }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'unknown'; readonly cause: string };

/** One call that may have reached the platform's queue. */
export interface Sending {
  /** RFC 3339. */
  readonly at: string;
  /** The newest report stored when it was written down: what was there before is no answer to it. */
  readonly seenReportId: string;
  /** Other records went in the same call. */
  readonly shared: boolean;
  readonly answer: SendingAnswer;
}

/** The part of a record's progress that is about its sendings. */
export interface SendingProgress {
  readonly sendings: readonly Sending[];
  /** Why the next call could not be made yet; null when nothing is in its way. Shown to operators, decides nothing. */
  readonly blocked: string | null;
}

export function withSending<P extends SendingProgress>(progress: P, sending: Omit<Sending, 'answer'>): P {
  return { ...progress, blocked: null, sendings: [...progress.sendings, { ...sending, answer: { kind: 'pending' } }] };
}

/** The answer of the last sending. */
export function withAnswer<P extends SendingProgress>(progress: P, answer: SendingAnswer): P {
  const last = progress.sendings.at(-1);
  if (last === undefined) return progress;
  return { ...progress, sendings: [...progress.sendings.slice(0, -1), { ...last, answer }] };
}

/** The last call cannot have reached the platform's queue, so it was no sending. */
export function withoutLastSending<P extends SendingProgress>(progress: P, cause: string): P {
  return { ...progress, blocked: cause, sendings: progress.sendings.slice(0, -1) };
}

/** The operations that the platform gave us for a record, first ones first. */
export function operationIdsOf({ sendings }: Pick<SendingProgress, 'sendings'>): string[] {
  return sendings.flatMap(({ answer }) =>
    answer.kind === 'accepted' && answer.operationId !== null ? [answer.operationId] : [],
  );
}

/** Whether a sending may have been queued under an operation that nobody told us. */
export function isNameless({ answer }: Sending): boolean {
  return (
    answer.kind === 'pending' ||
    answer.kind === 'unknown' ||
    (answer.kind === 'accepted' && answer.operationId === null)
  );
}

/**
 * The newest report of one of our operations; where an answer named none, the newest that came since that sending and
 * is of no operation that ended (rules 16, 25).
 */
export function answeringReport<R extends { readonly id: string; readonly operationId: string }>(
  { sendings }: Pick<SendingProgress, 'sendings'>,
  reports: readonly R[],
  pastOperationIds: ReadonlySet<string>,
): R | null {
  const own = new Set(operationIdsOf({ sendings }));
  const ours = reports.findLast(({ operationId }) => own.has(operationId));
  if (ours !== undefined) return ours;
  const nameless = sendings.find(isNameless);
  if (nameless === undefined) return null;
  const since = BigInt(nameless.seenReportId);
  return reports.findLast(({ id, operationId }) => BigInt(id) > since && !pastOperationIds.has(operationId)) ?? null;
}

/** Progress as JSON text, digits kept. */
export function progressToText(progress: SendingProgress): string {
  return stringifyWithDigits(progress as unknown as JsonRecord);
}
