import { natively } from '@gondola/local-stack/testing/natively';
import type { LoneWorker, LoneWorkerOptions } from './lone-worker.ts';
import type { OrderApp, OrderAppOptions } from './order-app.ts';
import type { PlatformOfRecovery } from './platform-of-recovery.ts';

/** The app, loaded once by each of Jest's processes: a suite shares no class with it. */
export async function startOrderApp(label: string, options: OrderAppOptions = {}): Promise<OrderApp> {
  const loaded = await natively<typeof import('./order-app.ts')>(new URL('order-app.ts', import.meta.url));
  return loaded.OrderApp.start(label, options);
}

/** A worker in this process, loaded as the app is. */
export async function createLoneWorker(options: LoneWorkerOptions): Promise<LoneWorker> {
  const loaded = await natively<typeof import('./lone-worker.ts')>(new URL('lone-worker.ts', import.meta.url));
  return new loaded.LoneWorker(options);
}

/** A platform of lost orders, loaded as the app is. */
export async function startPlatformOfRecovery(label: string, recovery: object): Promise<PlatformOfRecovery> {
  const url = new URL('platform-of-recovery.ts', import.meta.url);
  const loaded = await natively<typeof import('./platform-of-recovery.ts')>(url);
  return loaded.PlatformOfRecovery.start(label, recovery);
}
