// npm run readme: plays the loop on fresh data and takes the READMEs' pictures of console and sandbox.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium, openPage } from '@gondola/local-stack/testing/chromium';
import { openConsole } from './console/open-console.ts';
import { freshRun } from './play/fresh-run.ts';
import { type Gondola, ROOT } from './play/gondola.ts';
import { playLoop } from './play/loop.ts';
import { OperationsApi } from './play/operations-api.ts';
import { reportFailure, Reporter } from './play/reporter.ts';

const FOLDER = join(ROOT, 'docs/pictures');
const SIZE = { width: 1280, height: 1080 };
/** Of WebP, which shows small text as well as PNG does in a third of the bytes. */
const QUALITY = 80;
const MOST_BYTES = 150_000;

type Page = Awaited<ReturnType<typeof openPage>>['page'];

/** A file for each page of the console that the README shows. */
const CONSOLE_PICTURES = [
  { file: 'today.webp', path: '/', heading: 'Hoje' },
  { file: 'order.webp', path: '/orders/100001', heading: 'Pedido 100001' },
  { file: 'product.webp', path: '/products/1094', heading: 'Produto 1094' },
];
/** The same for the sandbox; its shelf is that of a shop in which each product has a picture and a price. */
const SHELF = '5e1f0a4e-6f0e-4c3a-9b7e-0d5f4a1b2c3d';
const SANDBOX_PICTURES = [
  { file: 'sandbox-shelf.webp', path: `/?shop=${SHELF}`, heading: 'Prateleira' },
  { file: 'sandbox-order.webp', path: '/orders/100001', heading: 'Pedido 100001' },
  { file: 'sandbox-sent.webp', path: '/sent?order=100001', heading: 'Avisos enviados' },
];

async function pictureConsole(gondola: Gondola): Promise<void> {
  const shown = await openConsole(gondola, { colorScheme: 'light', viewport: SIZE });
  try {
    for (const { file, path, heading } of CONSOLE_PICTURES) {
      await shown.show(path, heading);
      await picture(shown.page, file);
    }
  } finally {
    await shown.close();
  }
}

async function pictureSandbox({ urls, operationsTokenFile }: Gondola): Promise<void> {
  const url = urls['platform-sandbox'];
  const token = (await readFile(operationsTokenFile, 'utf8')).trim();
  const admin = new OperationsApi(url, token);
  const credentials = { username: 'erp', password: 'erp', apiKey: 'key' };
  await admin.call('POST', '/admin/tenants', { contractAccountId: SHELF, ...credentials });
  await admin.call('POST', '/admin/seed', { contractAccountId: SHELF, orders: 0 });
  const browser = await launchChromium();
  try {
    const { page } = await openPage(browser, { colorScheme: 'light', viewport: SIZE });
    await page.goto(url);
    await page.getByLabel('Token de operação').fill(token);
    await page.keyboard.press('Enter');
    for (const { file, path, heading } of SANDBOX_PICTURES) {
      await page.getByRole('navigation').waitFor();
      await page.goto(`${url}${path}`);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      if (path.includes(SHELF))
        await page
          .getByRole('button', { name: /^Adicionar / })
          .first()
          .click();
      await page.mouse.move(0, 0);
      await picture(page, file);
    }
  } finally {
    await browser.close();
  }
}

async function picture(page: Page, file: string): Promise<void> {
  const chromium = await page.context().newCDPSession(page);
  const { data } = await chromium.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > MOST_BYTES) {
    throw new Error(`${file} would have ${bytes.length} bytes, more than the ${MOST_BYTES} of a picture of the README`);
  }
  await writeFile(join(FOLDER, file), bytes);
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
      await pictureConsole(gondola);
      await pictureSandbox(gondola);
    },
  );
  process.stdout.write(`The pictures are in ${FOLDER}; everything is stopped.\n`);
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
