import type { Tx } from '@gondola/service-kit/database/database';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Operation } from './operations.repository.ts';

/**
 * Transactions in which the core takes one kind of accepted operation. `one`: each operation has its
 * own transaction. The other two share one transaction among several operations of a merchant, with the same
 * outcome as separate ones, and only for steps whose locks no call waits for: `in turn` is called for each
 * operation, `all` once with the list.
 */
export interface TakenBy {
  /** Value of `operations.kind`. */
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
