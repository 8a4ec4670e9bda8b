import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * The app's metrics, the process' default ones included (CPU, memory, event loop lag). One per app and not
 * prom-client's global one, so that several apps run in one process in tests. Injected by its class, `Registry`.
 */
export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
