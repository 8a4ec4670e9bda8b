import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { OrderCommandName } from '@gondola/shared/orders/order-command-dtos';
import type { OrderStatusCode } from '@gondola/shared/orders/order-statuses';
import type { FieldReason, Reason } from '@gondola/shared/results/reason-codes';
import type { UnitName } from '@gondola/shared/units-and-money/units';
import type { AttemptStep, Change } from '../platform/order-calls.ts';
import type { CommandSettings, CommandTurn, Decision } from './decision.ts';
import type { OrderFact } from '../notifications/order-fact.ts';

/** A tenant's names of units (ERP's → platform's), beside the platform's own. */
export type TenantUnits = Readonly<Record<string, UnitName>>;

/** All there is to say of an order command; `A` is what it asks for. */
export interface OrderCommandDefinition<A = unknown> {
  readonly name: OrderCommandName;
  /** The queue of its order's lane that it joins: commands of one run one at a time, queues side by side (rule 19). */
  readonly queue: 'main' | 'cancel' | 'refresh' | 'withdraw';
  /** The tenant's deadline that runs from its first attempt. */
  readonly deadline: 'commandMs' | 'invoiceMs';
  /**
   * The status, or 1300, whose event says that it was applied, also where that comes late (guarantee 3); null for a
   * command that changes nothing at the platform.
   */
  readonly target: OrderStatusCode | null;
  /** What a record asks for whose fields were judged. */
  readonly read: (record: JsonRecord, units: TenantUnits) => A;
  /** The command that it is about, by its id; only of a command that is about another one. */
  readonly refersTo?: (asked: A) => string;
  /** External references of the SKUs that it names. */
  readonly skusOf: (asked: A) => readonly string[];
  /** What is to be done next for it. */
  readonly decide: (asked: A, turn: CommandTurn, settings: CommandSettings) => Decision;
  /** What an attempt sends; `step` where it has several. Null: it changes nothing at the platform. */
  readonly change: ((asked: A, step: AttemptStep | undefined) => Change) | null;
  readonly publishedBy: PublishedBy<A>;
}

/** How the ERP learns what a command brought about (rule 10). */
export type PublishedBy<A = unknown> =
  /** Its result sets the status. `heldStatus`: one that it has reached while open, which no event publishes. */
  | { readonly kind: 'result'; readonly heldStatus: (turn: CommandTurn) => number | null }
  /** The events of the facts that it caused name it. */
  | { readonly kind: 'event'; readonly isCauseOf: (asked: A, turn: CommandTurn, fact: OrderFact) => boolean };

/** A command after validation (contract, "Order commands"). */
export type JudgedCommand =
  | {
      readonly kind: 'valid';
      readonly definition: OrderCommandDefinition;
      readonly asked: unknown;
      readonly orderNumber: string;
    }
  /** Stopped by Gondola; `reason` is the first of what is wrong. */
  | { readonly kind: 'invalid'; readonly reason: Reason; readonly errors: readonly FieldReason[] };

/** Each part has to be there. What a command asks for only goes back to the definition that read it. */
export function defineOrderCommand<A>(definition: OrderCommandDefinition<A>): OrderCommandDefinition {
  return definition as unknown as OrderCommandDefinition;
}

/** Of a command that reaches no status before its result, or none at all. */
export const BY_RESULT: PublishedBy = { kind: 'result', heldStatus: () => null };
