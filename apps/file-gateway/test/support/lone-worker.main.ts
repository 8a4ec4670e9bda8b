import { LoneWorker, type LoneWorkerOptions } from './lone-worker.ts';

/** A worker in a separate process, which is killed around one of its calls. */
const worker = await LoneWorker.open(JSON.parse(process.argv[2] ?? '') as LoneWorkerOptions);
await worker.start();
