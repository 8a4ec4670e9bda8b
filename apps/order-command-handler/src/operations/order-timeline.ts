import type { AttemptAnswer } from '@gondola/shared/commands/attempts';
import { type CodeAndName, orderStatus } from '@gondola/shared/orders/order-statuses';
import type { CommandProgress } from '../commands/command-progress.ts';
import type { PublishedRecord } from '../orders/published-records.repository.ts';
import type { FactSummary } from '../facts/order-fact.ts';

/** A command of the order, open or concluded. */
export interface TimelineCommand {
  readonly commandId: string;
  readonly command: string;
  /** RFC 3339. */
  readonly receivedAt: string;
  /** Operator who asked for it at the operations API; null: the ERP. */
  readonly requestedBy: string | null;
  readonly progress: CommandProgress;
}

/** One entry of an order's timeline, without personal data; `at` is RFC 3339 in UTC. */
export type TimelineEntry = { readonly at: string } & (
  | {
      readonly kind: 'fact';
      readonly source: FactSummary['source'];
      readonly eventType: string;
      readonly operationId: string | null;
      readonly status: CodeAndName | null;
      /** As the platform writes it. */
      readonly updatedAt: string | null;
      readonly error: FactSummary['error'];
    }
  | {
      readonly kind: 'command';
      readonly commandId: string;
      readonly command: string;
      /** Operator who asked for it; null: the ERP. */
      readonly requestedBy: string | null;
    }
  /** A changing call; `answer` is null before its answer. */
  | {
      readonly kind: 'attempt';
      readonly commandId: string;
      readonly step: string;
      readonly answer: TimelineAnswer | null;
    }
  /** The last read for a command, of the status or of the payload. */
  | {
      readonly kind: 'reading';
      readonly commandId: string;
      readonly of: 'status' | 'payload';
      readonly purpose: string;
      readonly found: string | null;
    }
  /** A request to file-gateway to check or attach an invoice's PDF. */
  | { readonly kind: 'pdf'; readonly commandId: string; readonly asked: 'check' | 'attach' }
  | {
      readonly kind: 'outcome';
      readonly commandId: string;
      readonly command: string;
      readonly outcome: string;
      readonly isCorrection: boolean;
      readonly reasonCode: string | null;
      readonly evidence: string | null;
      readonly revision: number | null;
    }
  | {
      readonly kind: 'event';
      readonly type: string;
      readonly revision: number | null;
      readonly status: CodeAndName | null;
      readonly cause: string | null;
      readonly commandId: string | null;
    }
);

/** An answer without the platform's message, which may repeat sent values. */
interface TimelineAnswer {
  readonly kind: Exclude<AttemptAnswer['kind'], 'pending'>;
  readonly operationId: string | null;
  /** HTTP status of a refusal. */
  readonly status: number | null;
  /** Cause of a missing answer. */
  readonly cause: string | null;
}

/** Order of entries with the same time: causes before effects. */
const RANKS: Readonly<Record<TimelineEntry['kind'], number>> = {
  fact: 0,
  command: 1,
  attempt: 2,
  pdf: 3,
  reading: 4,
  outcome: 5,
  event: 6,
};

/** Builds the timeline of an order, oldest entry first. */
export function orderTimeline(parts: {
  readonly facts: readonly FactSummary[];
  readonly commands: readonly TimelineCommand[];
  readonly published: readonly PublishedRecord[];
}): TimelineEntry[] {
  const { facts, commands, published } = parts;
  const entries = [...facts.map(factEntry), ...commands.flatMap(commandEntries), ...published.map(publishedEntry)];
  return entries.toSorted((one, other) => compareText(one.at, other.at) || RANKS[one.kind] - RANKS[other.kind]);
}

function factEntry(fact: FactSummary): TimelineEntry {
  const { receivedAt: at, source, eventType, operationId, updatedAt, error } = fact;
  return { at, kind: 'fact', source, eventType, operationId, status: statusOrNull(fact.status), updatedAt, error };
}

function commandEntries({ commandId, command, receivedAt, requestedBy, progress }: TimelineCommand): TimelineEntry[] {
  const { attempts, read, payload, pdfCheckAsked, pdfAsked } = progress;
  const entries: TimelineEntry[] = [{ at: receivedAt, kind: 'command', commandId, command, requestedBy }];
  for (const { at, step, answer } of attempts) {
    entries.push({ at, kind: 'attempt', commandId, step, answer: answerOf(answer) });
  }
  if (pdfCheckAsked !== null) entries.push({ at: pdfCheckAsked, kind: 'pdf', commandId, asked: 'check' });
  if (pdfAsked !== null) entries.push({ at: pdfAsked.at, kind: 'pdf', commandId, asked: 'attach' });
  if (read !== null) {
    const found = read.status === null ? null : String(read.status);
    entries.push({ at: read.at, kind: 'reading', commandId, of: 'status', purpose: read.purpose, found });
  }
  if (payload !== null) {
    const { at, purpose, kind: found } = payload;
    entries.push({ at, kind: 'reading', commandId, of: 'payload', purpose, found });
  }
  return entries;
}

function answerOf(answer: AttemptAnswer): TimelineAnswer | null {
  const nothing = { operationId: null, status: null, cause: null };
  switch (answer.kind) {
    case 'pending':
      return null;
    case 'accepted':
      return { ...nothing, kind: 'accepted', operationId: answer.operationId };
    case 'refused':
      return { ...nothing, kind: 'refused', status: answer.status };
    default:
      return { ...nothing, kind: 'unknown', cause: answer.cause };
  }
}

function publishedEntry(record: PublishedRecord): TimelineEntry {
  const { type, revision, commandId, cause, isCorrection, reasonCode, evidence } = record;
  const at = record.at.toISOString();
  if (record.kind === 'event') {
    return { at, kind: 'event', type, revision, status: statusOrNull(record.status), cause, commandId };
  }
  const outcome = { outcome: record.outcome ?? '', isCorrection, reasonCode, evidence, revision };
  return { at, kind: 'outcome', commandId: commandId ?? '', command: type, ...outcome };
}

function statusOrNull(status: number | null): CodeAndName | null {
  return status === null ? null : orderStatus(status);
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
