// npm run contract:examples: plays the demo's day and further cases, and writes an example of each record into
// docs/contract/examples. Two runs write the same files.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readByContract } from '@gondola/messaging/testing/read-by-contract';
import { freshRun } from '../play/fresh-run.ts';
import { ROOT } from '../play/gondola.ts';
import { playLoop } from '../play/loop.ts';
import { reportFailure, Reporter } from '../play/reporter.ts';
import { examplesOf } from './examples-of.ts';
import { playFurther } from './further-plays.ts';

const NOT_SENT = 'the demo’s ERP sends none; suites of catalog-publisher do';
const OF_A_PRICE = 'the end of a price, of which the demo’s ERP sends none; suites of catalog-publisher do';
const HELD_BACK = 'needs a command that is held back, which suites of order-command-handler do';

/** Examples that no step of the demo produces, with the reason; suites of the apps produced them and read them. */
const AS_STORED: Readonly<Record<string, string>> = {
  'price.v1.json': NOT_SENT,
  'stock.v1.json': NOT_SENT,
  'warehouse.v1.json': NOT_SENT,
  'result.v1.corrected.json': OF_A_PRICE,
  'result.v1.superseded.json': OF_A_PRICE,
  'result.v1.unconfirmed.json': OF_A_PRICE,
  'WithdrawCommand.v1.json': HELD_BACK,
  'result.v1.withdrawn.json': HELD_BACK,
  'ReleaseOrder.v1.json': 'needs an order whose 300 never came, as suites of order-command-handler make it',
  'product.create.v1.json': 'the demo’s tenant has defaults, so that no product of it names every field',
  'order-event.v1.OrderChanged.json': 'no shopper of the demo changes an order',
  'order-event.v1.OrderNeedsAttention.json': 'nothing stays open in the demo’s day',
};

const FOLDER = join(ROOT, 'docs/contract/examples');

try {
  const options = {
    reporter: new Reporter(process.stdout),
    logDir: join(ROOT, '.gondola/logs/contract-examples'),
    external: { kafkaBrokers: process.env['KAFKA_BROKERS'], databaseUrl: process.env['DATABASE_URL'] },
    stepTimeoutMs: 60_000,
  };
  await freshRun(options, async ({ context, prefix, stack }) => {
    await playLoop(context);
    await playFurther(context);
    const made = examplesOf(prefix, await readByContract(prefix, stack));
    const written = [...made].filter(([file]) => !Object.hasOwn(AS_STORED, file));
    await Promise.all(written.map(([file, text]) => writeFile(join(FOLDER, file), text)));
    const names = new Set(written.map(([file]) => file));
    const left = (await readdir(FOLDER)).filter((file) => !names.has(file) && !Object.hasOwn(AS_STORED, file));
    if (left.length > 0) throw new Error(`The run made no record for ${left.join(', ')}`);
    process.stdout.write(`${written.length} examples are written; now run npm run contract.\n`);
  });
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
