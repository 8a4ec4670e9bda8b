// npm run bench [-- NAME … --products 100000 --replicas 1,3]: each bench on its own stack. Figures depend on the
// machine and are only shown; ratios are checked, and the exit code is 1 if one is too low. The products are those of
// the catalog's larger load, the replicas those of each app in `scale`.
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { startLocalStack } from '@gondola/local-stack/local-stack';
import { chosen, holds, lineOf } from './bench.ts';
import { catalogBench } from './catalog.bench.ts';
import { idleBench } from './idle.bench.ts';
import { ingestBench } from './ingest.bench.ts';
import { orderLifeBench } from './order-life.bench.ts';
import { pathBench } from './path.bench.ts';
import { relayBench } from './relay.bench.ts';
import { replicasFrom, scaleBench } from './scale.bench.ts';
import { sizesBench } from './sizes.bench.ts';
import { smallBench } from './small.bench.ts';
import { tracesBench } from './traces.bench.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    products: { type: 'string', default: '20000' },
    replicas: { type: 'string', default: '1,2,3,6' },
  },
});

const BENCHES = [
  ingestBench,
  pathBench,
  relayBench,
  orderLifeBench,
  catalogBench(Number(values.products)),
  idleBench,
  sizesBench,
  scaleBench(replicasFrom(values.replicas)),
  smallBench,
  tracesBench,
];

const say = (line: string) => process.stdout.write(`${line}\n`);

say(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}`);
let haveAllHeld = true;
for (const bench of chosen(BENCHES, positionals)) {
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
