import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { OrderCommandName } from '@gondola/shared/orders/order-commands.dto';
import type { OrderStatusCode } from '@gondola/shared/orders/order-statuses';
import type { FieldReason, Reason } from '@gondola/shared/outcomes/reason-codes';
import type { UnitName } from '@gondola/shared/units-and-money/units';
import type { AttemptStep, Change } from '../platform/order-calls.ts';
import type { CommandSettings, CommandTurn, Decision } from './decision.ts';
import type { RegisteredInvoice } from '../orders/which-invoice.ts';
import type { OrderFact } from '../facts/order-fact.ts';

/** A tenant's unit names (ERP's → platform's), in addition to the platform's own. */
export type TenantUnits = Readonly<Record<string, UnitName>>;

/** Definition of an order command; `A` is the content that it reads from its record. */
export interface OrderCommandDefinition<A = unknown> {
  readonly name: OrderCommandName;
  /** Queue in the order's lane: commands of one queue run one at a time, queues side by side (rule 19). */
  readonly queue: 'main' | 'cancel' | 'refresh' | 'withdraw';
  /** Setting of the deadline, which runs from the first attempt. */
  readonly deadline: 'commandMs' | 'invoiceMs';
  /**
   * Status, or 1300, whose event confirms the command, also after its deadline (guarantee 3); null for a command that
   * changes nothing at the platform.
   */
  readonly target: OrderStatusCode | null;
  /** Reads the content of a record with valid fields. */
  readonly read: (record: JsonRecord, units: TenantUnits) => A;
  /** Id of the command that this one names; only for commands about another command. */
  readonly refersTo?: (asked: A) => string;
  /** The invoice that it registers; absent for a command that registers none. */
  readonly registrationOf?: (asked: A) => RegisteredInvoice | null;
  /** External references of the named SKUs. */
  readonly skusOf: (asked: A) => readonly string[];
  /** Decides the next action. */
  readonly decide: (asked: A, turn: CommandTurn, settings: CommandSettings) => Decision;
  /** Call of an attempt; `step` for a command with several. Null for a command that changes nothing at the platform. */
  readonly change:
    | ((asked: A, step: AttemptStep | undefined, turn: CommandTurn, settings: CommandSettings) => Change)
    | null;
  readonly publishedBy: PublishedBy<A>;
}

/** Publication of a command's effect to the ERP (rule 10). */
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

/** For a command that reaches no status before its result, or none at all. */
export const BY_RESULT: PublishedBy = { kind: 'result', heldStatus: () => null };
