// npm run bench [-- NAME …]: each bench on its own stack. Figures depend on the machine and are only shown; ratios
// are checked, and the exit code is 1 if one is too low.
import { availableParallelism, loadavg } from 'node:os';
import { startLocalStack } from '@gondola/local-stack/local-stack';
import { type Bench, chosen, contestBench } from './bench.ts';
import { catalogBench } from './catalog.bench.ts';
import { catalogSandboxBench } from './catalog-sandbox.bench.ts';
import { latencyBench } from './latency.bench.ts';
import { ingestContest } from './ingest.contest.ts';
import { notificationsContest } from './notifications.contest.ts';
import { orderCommandsBench } from './order-commands.bench.ts';
import { orderEventsBench } from './order-events.bench.ts';
import { orderStepsContest } from './order-steps.contest.ts';
import { relayContest } from './relay.contest.ts';
import { sandboxBench } from './sandbox.bench.ts';
import { holds, lineOf } from './verdict.ts';

const BENCHES: readonly Bench[] = [
  contestBench('ingest', ingestContest),
  contestBench('relay', relayContest),
  contestBench('notifications', notificationsContest),
  contestBench('orders', orderStepsContest),
  orderEventsBench,
  orderCommandsBench,
  latencyBench,
  sandboxBench,
  catalogBench,
  catalogSandboxBench,
];

const say = (line: string) => process.stdout.write(`${line}\n`);

say(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}`);
let haveAllHeld = true;
for (const bench of chosen(BENCHES, process.argv.slice(2))) {
  say(`\n${bench.name}`);
  const stack = await startLocalStack();
  try {
    const verdicts = await bench.run(stack, (line) => say(`  ${line}`));
    for (const verdict of verdicts) say(`  ${lineOf(verdict)}`);
    haveAllHeld &&= verdicts.every(holds);
  } finally {
    await stack.stop();
  }
}
process.exitCode = haveAllHeld ? 0 : 1;
