import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { blockedToText } from '../domain/awaiting.ts';
import { afterReading } from '../domain/known-product.ts';
import { type ProductProgress, withRead } from '../domain/product-progress.ts';
import { compareRead } from '../domain/read-back.ts';
import { progressToText } from '../domain/record-attempts.ts';
import type { CatalogPlatform, ProductAnswer } from './catalog-platform.ts';
import { afterCall, waits } from './record-step.ts';
import type { PlanProducts } from './plan-products.ts';
import type { Planned, ProductLane, Reading } from './product-work.ts';

/** Reads products of a tenant, and plans anew what follows. */
export class ReadProducts {
  readonly #platform: CatalogPlatform;
  readonly #plan: PlanProducts;

  constructor(parts: { readonly platform: CatalogPlatform; readonly plan: PlanProducts }) {
    this.#platform = parts.platform;
    this.#plan = parts.plan;
  }

  /** On behalf of a record: whether it creates or changes something, or what came of it. */
  async read(reading: Reading, signal: AbortSignal, jittered: (ms: number) => number): Promise<Planned> {
    const { work, progress, final } = reading;
    const answer = await this.#call(work, work.command.traceparent, signal);
    // After the deadline what cannot be read decides nothing, and keeps nobody waiting.
    if (answer.kind === 'unavailable' && !final) {
      return waits(work, blockedText(reading, answer.cause), jittered(answer.retryAfterMs));
    }
    const product = answer.kind === 'read' ? answer.product : null;
    const read =
      progress === null
        ? { ...work, known: afterReading(work.known, product), looked: true }
        : { ...work, command: { ...work.command, progress: progressToText(this.#seen(reading, progress, answer)) } };
    const [planned] = await this.#plan.plan([read]);
    // What was seen before the record is ready is not stored, so the same step goes on by it.
    return progress === null ? planned! : afterCall(planned!);
  }

  /** The product as it is now; null where it cannot be had, or is not there yet. */
  async readModel(work: ProductLane, signal: AbortSignal): Promise<JsonRecord | null> {
    const answer = await this.#call(work, work.known.snapshot?.traceparent ?? null, signal);
    return answer.kind === 'read' ? answer.product : null;
  }

  #seen({ work, final }: Reading, progress: ProductProgress, answer: ProductAnswer): ProductProgress {
    if (answer.kind !== 'read') return withRead(progress, 'cannot-tell', final);
    if (answer.product === null) return withRead(progress, 'differs', final);
    return withRead(progress, compareRead(progress.body, work.known.applied, answer.product), final);
  }

  #call({ lane }: ProductLane, traceparent: string | null, signal: AbortSignal): Promise<ProductAnswer> {
    const options = { signal, ...(traceparent !== null && { traceparent }) };
    return this.#platform.readProduct(lane.identity, options);
  }
}

/** The record's progress as JSON text, with what is in its way, for operators to see. */
export function blockedText(
  { work, progress }: { readonly work: ProductLane; readonly progress: ProductProgress | null },
  blocked: string,
): string {
  if (progress === null) return blockedToText(work.waiting, blocked);
  return progressToText({ ...progress, blocked: progress.blocked ?? blocked });
}
