import type { Tx } from '@gondola/service-kit/database/database';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Operation } from './operations.repository.ts';

/**
 * How the core takes one kind of accepted operation: all of it in the transaction it is given. `one` has a transaction
 * for each. The other two share one among several of a merchant, with the same outcome as one after the other, and are
 * only of steps that lock nothing that a call waits for: `in turn` is called for each, `all` once with the list.
 */
export interface TakenBy {
  /** As in `operations.kind`. */
  readonly kind: string;
  readonly by: 'one' | 'in turn' | 'all';
}

/** Marks the method of a provider that takes operations of a kind. */
export const Takes = DiscoveryService.createDecorator<TakenBy>();

export interface CoreStep extends TakenBy {
  readonly take: (tx: Tx, operations: readonly Operation[]) => Promise<void>;
}

type Method = (tx: Tx, taken: Operation | readonly Operation[]) => Promise<void>;

export function coreSteps(discovery: DiscoveryService): ReadonlyMap<string, CoreStep> {
  const steps = new Map<string, CoreStep>();
  for (const wrapper of discovery.getProviders()) {
    const instance = wrapper.instance as Record<string, Method> | null | undefined;
    if (typeof instance !== 'object' || instance === null) continue;
    for (const name of new MetadataScanner().getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
      const taken = discovery.getMetadataByDecorator(Takes, wrapper, name);
      if (taken === undefined) continue;
      const take = async (tx: Tx, operations: readonly Operation[]): Promise<void> => {
        if (taken.by === 'all') return instance[name]?.(tx, operations);
        for (const operation of operations) await instance[name]?.(tx, operation);
        return undefined;
      };
      steps.set(taken.kind, { ...taken, take });
    }
  }
  return steps;
}
