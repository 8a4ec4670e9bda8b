// npm start: starts everything, plays the loop visibly on new data, then runs until Ctrl-C. `npm start -- --play`
// plays it on any data, `npm start -- <folder>` uses another folder than .gondola.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { reportFailure, Reporter, runningLines } from './play/reporter.ts';
import { bringUp, type Gondola, ROOT, writeAddresses } from './play/gondola.ts';
import { claimHome, type Home } from './play/home.ts';
import { playOrShow } from './play/loop.ts';

const reporter = new Reporter(process.stdout);
let home: Home | undefined;
let gondola: Gondola | undefined;
let ending: Promise<void> | undefined;

/** Stops what this start has started and releases its folder, without affecting another start. */
async function end(exitCode: number): Promise<void> {
  ending ??= (async () => {
    await gondola?.stop();
    await home?.release();
  })();
  await ending;
  process.exit(exitCode);
}

async function giveUp(sentence: string): Promise<void> {
  reporter.failed('stopped', sentence);
  await end(1);
}

try {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0));
  const { values, positionals } = parseArgs({ options: { play: { type: 'boolean' } }, allowPositionals: true });
  home = await claimHome(resolve(positionals[0] ?? join(ROOT, '.gondola')));
  reporter.say('Gondola: an ERP that only speaks Kafka, and a shop platform. Ctrl-C ends everything.');
  gondola = await bringUp({
    reporter,
    dir: home.dataDir,
    logDir: home.logDir,
    lasting: true,
    external: { kafkaBrokers: process.env['KAFKA_BROKERS'], databaseUrl: process.env['DATABASE_URL'] },
    prefix: process.env['TOPIC_PREFIX'] ?? '',
    stepTimeoutMs: 60_000,
    onGivenUp: (sentence) => void giveUp(sentence),
  });
  await writeAddresses(home.addressesFile, gondola);
  await playOrShow(gondola.context, values.play ?? false);
  const { stack, urls, consoleLink } = gondola;
  const servers = { kafka: stack.kafkaBrokers, postgres: new URL(stack.databaseUrl).host };
  for (const line of runningLines({ ...servers, urls, consoleLink, ...home }, process.cwd())) reporter.say(line);
} catch (error) {
  reportFailure(error);
  await end(1);
}
