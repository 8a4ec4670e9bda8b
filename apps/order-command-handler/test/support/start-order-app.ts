import type { LoneWorker, LoneWorkerOptions } from './lone-worker.ts';
import type { OrderApp, OrderAppOptions } from './order-app.ts';

declare global {
  /** Of infra/jest-environment.js. */
  function importNatively(url: string): Promise<unknown>;
}

/**
 * Loaded once by each of Jest's processes, not once by each suite: a suite knows the app by HTTP, Kafka and the
 * database alone, and shares no class with it.
 */
export async function startOrderApp(label: string, options: OrderAppOptions = {}): Promise<OrderApp> {
  const url = new URL('order-app.ts', import.meta.url).href;
  const loaded = (await importNatively(url)) as typeof import('./order-app.ts');
  return loaded.OrderApp.start(label, options);
}

/** A worker in this process, loaded as the app is. */
export async function createLoneWorker(options: LoneWorkerOptions): Promise<LoneWorker> {
  const url = new URL('lone-worker.ts', import.meta.url).href;
  const loaded = (await importNatively(url)) as typeof import('./lone-worker.ts');
  return new loaded.LoneWorker(options);
}
