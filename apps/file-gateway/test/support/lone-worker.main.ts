import { type FileWorkerOptions, LoneFileWorker } from './lone-worker.ts';

/** A worker in a separate process, which is killed around one of its calls. */
const worker = await LoneFileWorker.create(JSON.parse(process.argv[2] ?? '') as FileWorkerOptions);
await worker.start();
