import { Commands, type NamedCommand, type OpenCommand } from '@gondola/messaging/commands/commands';
import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import { Database } from '@gondola/service-kit/database/database';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { OrderValues } from '../facts/order-values.ts';
import { Injectable } from '@nestjs/common';
import { type CommandProgress, progressFromText } from '../commands/command-progress.ts';
import type { NamedTarget } from '../commands/decision.ts';
import type { JudgedCommand } from '../commands/order-command.ts';
import { ORDER_COMMANDS } from '../orders/order-topics.ts';
import type { ReadResult } from '@gondola/shared/results/read-result';
import { type HeadCommand, skusNamedBy } from './lane-situation.ts';
import type { KnownSku } from '../skus/match-skus.ts';
import { type OrderState, foldFacts } from '../facts/order-state.ts';
import { readOrderValues, unknownOrderValues } from '../facts/order-values.ts';
import { pdfCheck, pdfOutcome } from '../pdf-results/pdf-outcome.ts';
import { readCommand } from '../commands/read-command.ts';
import { factsWithValues, knownData } from '../facts/known-data.ts';
import { orderNumberOf } from '../facts/order-lane.ts';
import type { InvoiceFacts } from '../platform/order-calls.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { OrderFactsRepository } from '../facts/order-facts.repository.ts';
import { newRow, type OrderRow } from '../orders/order-row.ts';
import { OrdersRepository } from '../orders/orders.repository.ts';
import { PdfResultsRepository } from '../pdf-results/pdf-results.repository.ts';
import { SkusRepository } from '../skus/skus.repository.ts';
import { OrderTenants } from './order-tenants.service.ts';

/** A command at the head of its queue, with its row. */
export interface LoadedHead {
  readonly open: OpenCommand;
  readonly head: HeadCommand;
}

interface ReadCommand {
  readonly open: OpenCommand;
  readonly judged: JudgedCommand;
  readonly progress: CommandProgress;
}

/** Heads of the queues, and the open commands that they name. */
interface QueuedCommands {
  readonly head: LoadedHead;
  readonly named: readonly LoadedHead[];
}

/** An order's lane with the input of its step. */
export interface LoadedLane {
  readonly lane: ClaimedLane;
  readonly orderNumber: string | null;
  readonly state: OrderState | null;
  readonly values: OrderValues | null;
  /** The newest `data`, with a newer read merged into it; null for neither. */
  readonly data: JsonRecord | null;
  /** External references of the SKUs that its commands name. */
  readonly namedSkus: readonly string[];
  readonly skus: readonly KnownSku[];
  readonly finalPrice: string | null;
  readonly showsRegistration: boolean;
  readonly showsPdf: boolean;
  /** Bytes of the newest `data`, else of the newest read. */
  readonly platform: Buffer | null;
  /** The order's row; null before the first. */
  readonly row: OrderRow | null;
  /** Id of the newest loaded fact; `0` for none. */
  readonly seenFactId: string;
  /** Facts with personal data in this input: the step is saved only if none of them was erased meanwhile. */
  readonly personal: readonly string[];
  readonly heads: readonly LoadedHead[];
  /** Open commands that heads may withdraw. */
  readonly named: readonly LoadedHead[];
}

/** The loaded command of a plan or call. */
export function headOf({ heads, named }: LoadedLane, commandId: string): LoadedHead {
  const found = [...heads, ...named].find(({ open }) => open.commandId === commandId);
  if (found === undefined) throw new Error('The plan names a command that was not loaded');
  return found;
}

/**
 * Loads the input of several lanes of one tenant in a handful of queries. The lanes are leased, so only new facts can
 * arrive in between.
 */
@Injectable()
export class LoadOrderLanes {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly facts: OrderFactsRepository,
    private readonly orders: OrdersRepository,
    private readonly skus: SkusRepository,
    private readonly pdfResults: PdfResultsRepository,
    private readonly platform: PlatformAdapter,
    private readonly tenants: OrderTenants,
  ) {}

  async load(lanes: readonly ClaimedLane[]): Promise<LoadedLane[]> {
    const [first] = lanes;
    if (first === undefined) return [];
    const { tenant } = first;
    const ids = lanes.map(({ id }) => id);
    const [factsOf, rowOf, open] = await Promise.all([
      this.facts.ofLanes(ids),
      this.orders.ofLanes(ids),
      this.commands.heads(this.database, ids).then((all) => this.#headsOf(tenant, all)),
    ]);
    const stateOf = new Map(ids.map((id) => [id, foldFacts(factsOf.get(id)?.facts ?? [])]));
    const dataOf = await this.facts.dataOf([...stateOf.values()].flatMap(factsWithValues));
    const loaded = lanes.map((lane) => {
      const state = stateOf.get(lane.id) ?? null;
      const orderNumber = orderNumberOf(lane);
      const platform = dataOf.get(state?.valuesFact?.id ?? '') ?? null;
      const read = dataOf.get(state?.payloadFact?.id ?? '') ?? null;
      const data = knownData(state, dataOf);
      const invoice = this.#invoiceIn(tenant, data);
      return {
        lane,
        orderNumber,
        state,
        values: state === null || orderNumber === null ? null : valuesOf(data, state, Number(orderNumber)),
        data,
        finalPrice: invoice?.price ?? null,
        showsRegistration: invoice?.registered ?? false,
        showsPdf: invoice?.attached ?? false,
        platform: platform ?? read,
        row: orderNumber === null ? null : (rowOf.get(lane.id) ?? newRow(lane.id, tenant, orderNumber)),
        seenFactId: newerOf(factsOf.get(lane.id)?.facts.at(-1)?.id, rowOf.get(lane.id)?.folded.upTo),
        personal: factsOf.get(lane.id)?.personal ?? [],
        namedSkus: open.flatMap(
          ({
            head: {
              open: { laneId },
              head,
            },
          }) => (laneId === lane.id ? skusNamedBy(head) : []),
        ),
        heads: open.filter(({ head }) => head.open.laneId === lane.id).map(({ head }) => head),
        named: open.filter(({ head }) => head.open.laneId === lane.id).flatMap(({ named }) => named),
      };
    });
    const skusOf = await this.skus.ofOrders(tenant, loaded);
    return loaded.map((each) => ({ ...each, skus: skusOf(each) }));
  }

  async #headsOf(tenant: string, all: readonly OpenCommand[]): Promise<QueuedCommands[]> {
    const read = all.map((open) => this.#read(tenant, open));
    const asking = read.filter(({ progress }) => progress.pdfAsked !== null || progress.pdfCheckAsked !== null);
    const [resultsOf, named] = await Promise.all([
      this.pdfResults.ofCommands(
        tenant,
        asking.map(({ open }) => open.commandId),
      ),
      this.commands.named(this.database, tenant, ORDER_COMMANDS, read.flatMap(referredTo)),
    ]);
    return read.map((each) => {
      const [other] = named.filter(({ laneId, commandId }) => {
        return laneId === each.open.laneId && commandId === referredTo(each)[0] && commandId !== each.open.commandId;
      });
      const head = { ...headCommand(each, resultsOf.get(each.open.commandId) ?? []), named: namedTarget(other) };
      const isOpen = other !== undefined && other.outcome === null;
      const taken = isOpen ? [{ open: other, head: headCommand(this.#read(tenant, other), []) }] : [];
      return { head: { open: each.open, head }, named: taken };
    });
  }

  #read(tenant: string, open: OpenCommand): ReadCommand {
    const { value, progress } = open;
    return { open, judged: readCommand(value, this.tenants.of(tenant)), progress: progressFromText(progress) };
  }

  #invoiceIn(tenant: string, data: JsonRecord | null): InvoiceFacts | null {
    return data === null ? null : this.platform.invoiceFactsOf(tenant, data);
  }
}

/** Id of the command that a command names. */
function referredTo({ judged }: Pick<ReadCommand, 'judged'>): string[] {
  const named = judged.kind === 'valid' ? judged.definition.refersTo?.(judged.asked) : undefined;
  return named === undefined ? [] : [named];
}

function namedTarget(other: NamedCommand | undefined): NamedTarget | null {
  if (other === undefined) return null;
  const { attempts, pdfAsked } = progressFromText(other.progress);
  return { commandId: other.commandId, outcome: other.outcome, isSent: attempts.length > 0 || pdfAsked !== null };
}

function headCommand({ open, judged, progress }: ReadCommand, results: readonly ReadResult[]): HeadCommand {
  const { commandId, traceparent, deadlineInMs } = open;
  const pdf = { pdfCheck: pdfCheck(results), pdfOutcome: pdfOutcome(results) };
  return { commandId, traceparent, judged, progress, deadlineInMs, ...pdf, named: null };
}

function valuesOf(data: JsonRecord | null, state: OrderState, orderNumber: number): OrderValues {
  return data === null ? unknownOrderValues(orderNumber, state.orderId) : readOrderValues(data, orderNumber);
}

/** The newer of two fact ids: the newest fact may be folded and not loaded. */
function newerOf(loaded = '0', folded = '0'): string {
  return BigInt(loaded) > BigInt(folded) ? loaded : folded;
}
