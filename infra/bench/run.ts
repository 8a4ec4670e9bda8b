// npm run bench: each contest on a stack of its own, in paired, interleaved rounds. Prints medians and ratios; a figure is of this machine.
import { availableParallelism } from 'node:os';
import { startLocalStack } from '@gondola/local-stack/local-stack';
import { hold, type Standing } from './contest.ts';
import { relayContest } from './relay.contest.ts';

const ROUNDS = 5;
const CONTESTS = [relayContest];
const NAME_WIDTH = 30;

const say = (line: string) => process.stdout.write(`${line}\n`);

say(`${availableParallelism()} cores, Node ${process.versions.node}, median of ${ROUNDS} rounds after one to warm up`);
const stack = await startLocalStack();
try {
  for (const prepare of CONTESTS) {
    const contest = await prepare(stack);
    say(`\n${contest.name} (${contest.unit})`);
    for (const standing of await hold(contest, ROUNDS)) say(lineOf(standing));
    await contest.close?.();
  }
} finally {
  await stack.stop();
}

function lineOf({ name, medianPerSecond, medianRatio }: Standing): string {
  return `  ${name.padEnd(NAME_WIDTH)} ${Math.round(medianPerSecond).toString().padStart(8)}   ×${medianRatio.toFixed(2)}`;
}
