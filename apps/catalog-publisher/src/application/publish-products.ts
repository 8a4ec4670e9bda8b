import type { Commands } from '@gondola/messaging/commands';
import type { ClaimedLane, Lanes } from '@gondola/messaging/lanes';
import type { Outbox } from '@gondola/messaging/outbox';
import type { MutationAnswer } from '@gondola/platform-client/answers';
import type { PlatformClient } from '@gondola/platform-client/platform-client';
import type { Database } from '@gondola/service-kit/database';
import type { Logger } from '@gondola/service-kit/logger';
import { isPlainRecord, stringifyWithDigits, tryParseWithDigits } from '@gondola/shared/json-digits';
import type { Language } from '@gondola/shared/reason-codes';
import { decideProduct, type PublishSettings } from '../domain/decide-product.ts';
import { afterReading } from '../domain/known-product.ts';
import { prepareProduct, type TenantCatalog } from '../domain/prepare-product.ts';
import {
  type ProductProgress,
  progressFromText,
  progressToText,
  withAnswer,
  withoutLastSending,
  withRead,
  withSending,
} from '../domain/product-progress.ts';
import { isAsAsked } from '../domain/read-back.ts';
import type { ProductReportsRepository } from '../outbound/product-reports.repository.ts';
import type { ProductsRepository } from '../outbound/products.repository.ts';
import { postBatch } from './post-batch.ts';
import { type End, SaveProductEnds, type Work } from './save-product-ends.ts';

export interface PublishProductsParts {
  readonly tenant: string;
  readonly language: Language;
  readonly catalog: TenantCatalog;
  readonly settings: PublishSettings;
  readonly database: Database;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly outbox: Outbox;
  readonly products: ProductsRepository;
  readonly reports: ProductReportsRepository;
  readonly client: PlatformClient;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Results may wait to be relayed. */
  readonly onSaved: () => void;
  /** Everything that stood in the topics then is consumed; null while that is not known. */
  readonly consumedUpTo: () => number | null;
}

/** A record that is ready to be posted. */
interface Outgoing {
  readonly work: Work;
  readonly progress: ProductProgress;
}

/**
 * One step over some products of a tenant: what is decided is `decide-product`'s; here it is loaded, called and saved.
 *
 *   load ──▶ decide each (reading the product where asked) ──▶ write "sending" down ──▶ one POST ──▶ save all in one transaction
 */
export class PublishProducts {
  readonly #parts: PublishProductsParts;
  readonly #ends: SaveProductEnds;

  constructor(parts: PublishProductsParts) {
    this.#parts = parts;
    this.#ends = new SaveProductEnds(parts);
  }

  async step(lanes: readonly ClaimedLane[], signal: AbortSignal): Promise<void> {
    const works = await this.#load(lanes);
    const evaluated = await Promise.all(works.map((work) => this.#evaluate(work, signal)));
    const outgoing = evaluated.filter((each): each is Outgoing => !('kind' in each));
    const ended = evaluated.filter((each): each is End => 'kind' in each);
    const ends = [...ended, ...(await this.#send(outgoing, signal))];
    await this.#parts.lanes.finish(lanes, (tx, held) => this.#ends.save(tx, held, works, ends));
    this.#parts.onSaved();
  }

  async #load(lanes: readonly ClaimedLane[]): Promise<Work[]> {
    const { database, commands, products, reports } = this.#parts;
    const ids = lanes.map(({ id }) => id);
    const heads = new Map((await commands.heads(database, ids)).map((command) => [command.laneId, command]));
    const open = lanes.filter(({ id }) => heads.has(id));
    const openIds = open.map(({ id }) => id);
    const known = await products.load(database, openIds);
    const stored = await reports.load(database, openIds);
    return open.map((lane) => ({
      lane,
      command: heads.get(lane.id)!,
      known: known.get(lane.id)!,
      reports: stored.get(lane.id)!,
    }));
  }

  /** Decides until something has to be saved or posted. Each reading brings the next decision further, so this ends. */
  async #evaluate(work: Work, signal: AbortSignal): Promise<End | Outgoing> {
    const { settings, language, now, consumedUpTo } = this.#parts;
    const prepared = await this.#prepared(work, signal);
    if ('kind' in prepared) return prepared;
    let { progress } = prepared;
    for (;;) {
      const { known, reports, command } = prepared.work;
      const decision = decideProduct(
        {
          progress,
          reports,
          applied: known.applied,
          pastOperationIds: new Set(known.pastOperationIds),
          deadlineInMs: command.deadlineInMs,
          nowMs: now().getTime(),
          language,
          consumedUpToMs: consumedUpTo(),
        },
        settings,
      );
      if (decision.kind === 'send') return { work: prepared.work, progress };
      if (decision.kind === 'wait') return { kind: 'wait', work: prepared.work, progress, ms: decision.ms };
      if (decision.kind === 'conclude') {
        const { conclusion, anomaly } = decision;
        return { kind: 'concluded', work: prepared.work, progress, conclusion, anomaly };
      }
      const read = await this.#read(work, signal);
      if (read.kind === 'unavailable') return { kind: 'wait', work: prepared.work, progress, ms: read.retryAfterMs };
      progress = withRead(progress, read.product !== null && isAsAsked(progress.body, read.product));
    }
  }

  /** The record checked and translated; stored progress says that this was done before. */
  async #prepared(work: Work, signal: AbortSignal): Promise<End | Outgoing> {
    const stored = progressFromText(work.command.progress);
    if (stored !== null) return { work, progress: stored };
    const { catalog, language } = this.#parts;
    const record = { value: work.command.value, externalReference: work.lane.identity };
    const prepared = prepareProduct(record, work.known, catalog, language);
    if (prepared.kind === 'concluded') return { ...prepared, work, progress: null, anomaly: false };
    if (prepared.kind === 'ready') return { work, progress: prepared.progress };
    const read = await this.#read(work, signal);
    if (read.kind === 'unavailable') return { kind: 'wait', work, progress: null, ms: read.retryAfterMs };
    return this.#prepared({ ...work, known: afterReading(work.known, read.product) }, signal);
  }

  async #read({ lane, command }: Work, signal: AbortSignal) {
    const answer = await this.#parts.client.getProduct(lane.identity, {
      signal,
      ...(command.traceparent !== null && { traceparent: command.traceparent }),
    });
    if (answer.kind === 'unavailable') return answer;
    if (answer.kind === 'refused') return { kind: 'unavailable' as const, retryAfterMs: REFUSED_READ_WAIT_MS };
    const product = answer.kind === 'found' ? tryParseWithDigits(answer.value) : null;
    return { kind: 'read' as const, product: isPlainRecord(product) ? product : null };
  }

  /** Written down first, posted in one batch, and answered for one by one. */
  async #send(outgoing: readonly Outgoing[], signal: AbortSignal): Promise<End[]> {
    if (outgoing.length === 0) return [];
    signal.throwIfAborted();
    const { lanes, commands, settings, client, now } = this.#parts;
    const at = now().toISOString();
    const sending = outgoing.map(({ work, progress }) => {
      const seenReportId = work.reports.at(-1)?.id ?? '0';
      return { work, progress: withSending(progress, { at, seenReportId }) };
    });
    const held = await lanes.checkpoint(
      sending.map(({ work }) => work.lane),
      async (tx, stillHeld) => {
        const ids = new Set(stillHeld.map(({ id }) => id));
        const own = sending.filter(({ work }) => ids.has(work.lane.id));
        await commands.markSending(
          tx,
          own.map(({ work }) => work.command.id),
          settings.deadlineMs,
        );
        for (const { work, progress } of own)
          await commands.saveProgress(tx, work.command.id, progressToText(progress));
        return own;
      },
    );
    if (held.length === 0) return [];
    const traceparent = held[0]?.work.command.traceparent ?? undefined;
    const answers = await postBatch(
      held.map(({ work, progress }) => ({ laneId: work.lane.id, text: stringifyWithDigits(progress.body) })),
      (body) => client.postProducts(body, { signal, ...(traceparent !== undefined && { traceparent }) }),
    );
    return Promise.all(held.map((each) => this.#afterAnswer(each, answers.get(each.work.lane.id)!, signal)));
  }

  /** What the answer says decides when the lane is looked at next; a refusal ends its record at once. */
  async #afterAnswer({ work, progress }: Outgoing, answer: MutationAnswer, signal: AbortSignal): Promise<End> {
    if (answer.kind === 'unavailable') {
      const unsent = withoutLastSending(progress, answer.cause);
      return { kind: 'wait', work, progress: unsent, ms: answer.retryAfterMs, notSent: true };
    }
    const answered = withAnswer(progress, answer);
    const command = { ...work.command, progress: progressToText(answered), attempts: work.command.attempts + 1 };
    const deadlineInMs = work.command.deadlineInMs ?? this.#parts.settings.deadlineMs;
    const next = await this.#evaluate({ ...work, command: { ...command, deadlineInMs } }, signal);
    return 'kind' in next ? next : { kind: 'wait', work, progress: answered, ms: 0 };
  }
}

/** A read that the platform says no to is tried again: a product cannot be refused for being looked at. */
const REFUSED_READ_WAIT_MS = 30_000;
