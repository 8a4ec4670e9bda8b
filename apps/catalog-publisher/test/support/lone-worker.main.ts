import { LoneWorker, type LoneWorkerOptions } from './lone-worker.ts';

/** A worker in a process of its own, to be killed. */
const worker = await LoneWorker.create(JSON.parse(process.argv[2] ?? '') as LoneWorkerOptions);
await worker.start();
