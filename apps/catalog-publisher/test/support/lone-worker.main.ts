import type { LoneWorkerOptions } from '@gondola/operations/testing/lone-worker';
import { LoneCatalogWorker } from './lone-worker.ts';

/** A worker in a process of its own, to be killed. */
const worker = await LoneCatalogWorker.create(JSON.parse(process.argv[2] ?? '') as LoneWorkerOptions);
await worker.start();
