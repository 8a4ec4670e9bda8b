import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Time between two looks. */
const LOOK_MS = 20_000;
const MICROSECONDS_PER_MS = 1_000;
/** Share of a core below which a process has nothing to do; an app without any work takes up to 0.8 %. */
const IDLE_SHARE = 0.05;
/** Growth since the last collection that is worth one: it stops the process for some 0.1 s. */
const WORTH_BYTES = 24 * 2 ** 20;

/** A process over the time of one look. */
export interface Look {
  readonly elapsedMs: number;
  readonly processorMs: number;
  readonly residentBytes: number;
  /** Right after the last collection; 0 before the first. */
  readonly leftBytes: number;
}

/** True if the process had nothing to do and holds what a collection may free. */
export function isWorthCollecting({ elapsedMs, processorMs, residentBytes, leftBytes }: Look): boolean {
  return processorMs < elapsedMs * IDLE_SHARE && residentBytes - leftBytes > WORTH_BYTES;
}

/**
 * Collects all garbage and gives its memory back to the machine whenever the process has nothing to do, after its start
 * and after each load. V8 collects only while something is allocated: an idle app would hold for hours what its last
 * load left. Does not keep the process alive.
 */
export function giveBackMemory(): void {
  const collect = garbageCollector();
  let [at, processor, leftBytes] = [performance.now(), process.cpuUsage(), 0];
  const look = (): void => {
    const { user, system } = process.cpuUsage(processor);
    const residentBytes = process.memoryUsage.rss();
    const elapsedMs = performance.now() - at;
    if (
      isWorthCollecting({ elapsedMs, processorMs: (user + system) / MICROSECONDS_PER_MS, residentBytes, leftBytes })
    ) {
      collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
      leftBytes = process.memoryUsage.rss();
    }
    [at, processor] = [performance.now(), process.cpuUsage()];
  };
  setInterval(look, LOOK_MS).unref();
}

/** `gc()` without an option of the command line: a context that is made while the flag is set has it. */
function garbageCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
