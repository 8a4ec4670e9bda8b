import type { Tx } from '@gondola/service-kit/database';
import type { Operation } from '../outbound/operations.repository.ts';

/** How the core takes one kind of accepted operation: all of it in the transaction it is given. */
export interface CoreStep {
  /** As in `operations.kind`. */
  readonly kind: string;
  apply(tx: Tx, operation: Operation): Promise<void>;
}

export const CORE_STEPS = Symbol('CoreStep[]');
