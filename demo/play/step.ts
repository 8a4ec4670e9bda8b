// A step of the play: its action, its check, and its line of output.
import { waitFor } from '@gondola/local-stack/wait-for';
import type { Erp, OrderEvent, Result } from '../erp/erp.ts';
import type { Reporter } from './reporter.ts';
import type { SandboxClient } from './sandbox-client.ts';
import type { CatalogOperations, OrderOperations, Uploads } from './gondola-client.ts';
import type { OperationsApi } from './operations-api.ts';

export interface DemoContext {
  erp: Erp;
  shop: SandboxClient;
  uploads: Uploads;
  /** Gondola's own view of orders, as operators read it. */
  orders: OrderOperations;
  /** Gondola's own view of prices and stock. */
  catalog: CatalogOperations;
  reporter: Reporter;
  webhookUrl: string;
  /** Operations API of webhook-ingest. */
  ingest: OperationsApi;
  /** Time after which a step has failed, in milliseconds. */
  stepTimeoutMs: number;
  /** Called when a step begins, for tests that kill an app there. */
  beforeStep?: (step: string) => Promise<void>;
}

/** Report of a successful step; `value` is for the steps that follow. */
export interface StepReport<T = void> {
  where: string;
  what: string;
  notes?: string[];
  value: T;
}

/** A step that did not hold, which its line of output has reported. */
export class StepFailure extends Error {}

/** Plays one step and reports it. Rejects with a `StepFailure` that names it if it fails. */
export async function step<T = void>(
  context: DemoContext,
  name: string,
  play: () => Promise<StepReport<T>>,
): Promise<T> {
  const startedAt = performance.now();
  try {
    await context.beforeStep?.(name);
    const { where, what, notes = [], value } = await play();
    context.reporter.step(where, what, performance.now() - startedAt);
    for (const note of notes) context.reporter.note(note);
    return value;
  } catch (cause) {
    context.reporter.failed(name, cause instanceof Error ? cause.message : String(cause));
    throw new StepFailure(`The step ${name} did not hold`, { cause });
  }
}

/** Waits until a condition returns a value, at most as long as a step may take. */
export function until<T>(
  context: DemoContext,
  what: string,
  condition: () => T | Promise<T>,
): ReturnType<typeof waitFor<T>> {
  return waitFor(condition, { timeoutMs: context.stepTimeoutMs, describe: what });
}

export function expectThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}

/** Uploads a file as an ERP does: repeatedly, until the file gateway answers. */
export function upload(context: DemoContext, content: Buffer, mediaType: string): Promise<string> {
  return until(context, 'an upload', () => context.uploads.send(content, mediaType));
}

/** Waits for the final result of a command or record, whose outcome must be one of `outcomes`. */
export async function endsAs(context: DemoContext, commandId: string, ...outcomes: string[]): Promise<Result> {
  const result = await until(context, `the result of ${commandId}`, () => context.erp.endOf(commandId));
  expectThat(outcomes.includes(result.outcome), `${result.command} ended ${explain(result)}`);
  return result;
}

/** Waits until the newest event of an order has this type. */
export function publishedAs(context: DemoContext, order: number, type: string): Promise<OrderEvent> {
  return until(
    context,
    `${type} of ${order}`,
    () => context.erp.eventsOf(order).find((event) => event.type === type) ?? null,
  );
}

export function explain(result: Result): string {
  const reason = result.errors[0] ?? result.reason;
  return `${result.outcome}${reason === null ? '' : `: ${reason.code} ${reason.field ?? ''}: ${reason.message}`}`;
}
