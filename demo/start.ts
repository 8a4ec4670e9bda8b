// npm start: everything up, the loop played before the reader's eyes, then running until Ctrl-C.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { claimFolder, releaseFolder } from '@gondola/local-stack/run-record';
import { bringUp, type Gondola, ROOT, writeAddresses } from './play/gondola.ts';
import { playLoop } from './play/loop.ts';
import { Reporter } from './play/reporter.ts';
import { endInOneSentence } from './play/ending.ts';

const home = join(ROOT, '.gondola');
const addresses = join(home, 'run.json');
const claimed = join(home, 'start');
const reporter = new Reporter(process.stdout);
let gondola: Gondola | undefined;
let ending: Promise<void> | undefined;

async function end(exitCode: number): Promise<void> {
  ending ??= (async () => {
    await gondola?.stop();
    await rm(addresses, { force: true });
    await releaseFolder(claimed);
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
  await mkdir(home, { recursive: true });
  await claimFolder(claimed).catch((cause: unknown) => {
    throw new Error('Gondola runs already (where, says .gondola/run.json); end it with Ctrl-C first', { cause });
  });
  reporter.say('Gondola: an ERP that only speaks Kafka, and a shop platform. Ctrl-C ends everything.');
  gondola = await bringUp({
    reporter,
    dir: join(home, 'data'),
    logDir: join(home, 'logs'),
    lasting: true,
    external: { kafkaBrokers: process.env['KAFKA_BROKERS'], databaseUrl: process.env['DATABASE_URL'] },
    prefix: process.env['TOPIC_PREFIX'] ?? '',
    stepTimeoutMs: 60_000,
    onGivenUp: (sentence) => void giveUp(sentence),
  });
  await writeAddresses(addresses, gondola);
  await playLoop(gondola.world);
  reporter.say('Running until Ctrl-C:');
  reporter.say(`  Kafka                  ${gondola.stack.kafkaBrokers}`);
  reporter.say(`  PostgreSQL             ${new URL(gondola.stack.databaseUrl).host}`);
  for (const [app, url] of Object.entries(gondola.urls)) reporter.say(`  ${app.padEnd(22)} ${url}`);
  reporter.say('  also in .gondola/run.json; logs in .gondola/logs');
} catch (error) {
  endInOneSentence(error);
  await end(1);
}
