import { LoneWorker, type LoneWorkerOptions } from './lone-worker.ts';

/** A worker in a process of its own, which is killed around one of its calls. */
await new LoneWorker(JSON.parse(process.argv[2] ?? '') as LoneWorkerOptions).start();
