import { connectTestDatabase } from './test-database.ts';
import { replayBench, type ReplayPlaceOfWork } from './replay-bench.ts';

export interface ReplaysProcessOptions extends ReplayPlaceOfWork {
  readonly url: string;
  readonly schema: string;
}

/** Replays in a separate process. */
const { url, schema, ...place } = JSON.parse(process.argv[2] ?? '') as ReplaysProcessOptions;
await replayBench(await connectTestDatabase(url, schema), place).runner.start();
