import type { Tx } from '@gondola/service-kit/database/database';
import type { Operation } from '../outbound/operations.repository.ts';

/** How the core takes one kind of accepted operation: all of it in the transaction it is given. */
export interface CoreStep {
  /** As in `operations.kind`. */
  readonly kind: string;
  apply(tx: Tx, operation: Operation): Promise<void>;
  /**
   * Several of one merchant in one transaction, with the same outcome as one after the other. Only of steps that lock
   * nothing that a call waits for: a step without it has a transaction for each.
   */
  applyGroup?(tx: Tx, operations: readonly Operation[]): Promise<void>;
}

export const CORE_STEPS = Symbol('CoreStep[]');
