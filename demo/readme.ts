// npm run readme: plays the loop on fresh data and takes the README's pictures of the console.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openConsole } from './console/open-console.ts';
import { freshRun } from './play/fresh-run.ts';
import { type Gondola, ROOT } from './play/gondola.ts';
import { playLoop } from './play/loop.ts';
import { reportFailure, Reporter } from './play/reporter.ts';

const FOLDER = join(ROOT, 'docs/pictures');
const SIZE = { width: 1280, height: 1080 };
/** Of WebP, which shows small text as well as PNG does in a third of the bytes. */
const QUALITY = 80;
const MOST_BYTES = 150_000;

/** A file for each page of the console that the README shows. */
const PICTURES = [
  { file: 'today.webp', path: '/', heading: 'Hoje' },
  { file: 'order.webp', path: '/orders/100001', heading: 'Pedido 100001' },
  { file: 'product.webp', path: '/products/1094', heading: 'Produto 1094' },
];

async function takePictures(gondola: Gondola): Promise<void> {
  const shown = await openConsole(gondola, { colorScheme: 'light', viewport: SIZE });
  try {
    const chromium = await shown.page.context().newCDPSession(shown.page);
    for (const { file, path, heading } of PICTURES) {
      await shown.show(path, heading);
      const { data } = await chromium.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
      const picture = Buffer.from(data, 'base64');
      if (picture.length > MOST_BYTES)
        throw new Error(
          `${file} would have ${picture.length} bytes, more than the ${MOST_BYTES} of a picture of the README`,
        );
      await writeFile(join(FOLDER, file), picture);
    }
  } finally {
    await shown.close();
  }
}

try {
  await mkdir(FOLDER, { recursive: true });
  await freshRun(
    {
      reporter: new Reporter(process.stdout),
      logDir: join(ROOT, '.gondola/logs/readme'),
      external: { kafkaBrokers: process.env['KAFKA_BROKERS'], databaseUrl: process.env['DATABASE_URL'] },
      stepTimeoutMs: 60_000,
    },
    async (gondola) => {
      await playLoop(gondola.context);
      await takePictures(gondola);
    },
  );
  process.stdout.write(`The pictures are in ${FOLDER}; everything is stopped.\n`);
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
