import type { LoneWorkerOptions } from '@gondola/operations/testing/lone-worker';
import { LoneOrderWorker } from './lone-worker.ts';

/** A worker in a process of its own, to be killed. */
const worker = await LoneOrderWorker.create(JSON.parse(process.argv[2] ?? '') as LoneWorkerOptions);
await worker.start();
