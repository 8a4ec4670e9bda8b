import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { withFileLock } from '../file-lock.ts';

/** Left out of the package's own: one process for one page, and what switches off the rules of the web. */
const NOT_HERE = new Set([
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
]);
/**
 * Variables that Chromium sets at its start, while threads of it read others. One that is there is replaced; a new one
 * moves them all, and a thread that reads them meanwhile crashes the browser, once in some hundred starts.
 */
const SET_BY_CHROMIUM = { DBUS_SESSION_BUS_ADDRESS: 'disabled:', FC_FONTATIONS: '1', VK_ICD_FILENAMES: '' };
const ANSWER_LIMIT_MS = 60_000;
const UNPACK_LIMIT_MS = 120_000;

/** The Chromium inside an npm package, so that a test needs no browser on the machine. */
export async function launchChromium(): Promise<Browser> {
  // The package takes a file that another process is still unpacking for the browser.
  const lock = join(tmpdir(), 'gondola-chromium.lock');
  return playwright.launch({
    executablePath: await withFileLock(lock, UNPACK_LIMIT_MS, () => chromium.executablePath()),
    args: chromium.args.filter((argument) => !NOT_HERE.has(argument)),
    env: { ...process.env, ...SET_BY_CHROMIUM },
    headless: true,
  });
}

/** A page of a browser of its own: its cookies, language and size are nobody else's. */
export interface OpenedPage {
  readonly page: Page;
  /** Faults of the page: errors, and breaches of its Content-Security-Policy. */
  readonly faults: string[];
  close(): Promise<void>;
}

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const context = await browser.newContext({ locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', ...options });
  context.setDefaultTimeout(ANSWER_LIMIT_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) faults.push(message.text());
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, faults, close: () => context.close() };
}
