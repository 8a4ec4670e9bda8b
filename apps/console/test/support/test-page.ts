import { join } from 'node:path';
import { launchChromium, type OpenedPage, openPage } from '@gondola/local-stack/testing/chromium';
import { buildPage } from '@gondola/web-kit/testing/built-page';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { PASSWORD, startConsole } from './console-app.ts';
import { type FakeApps, startFakeApps } from './fake-apps.ts';
import { answerTo } from './shop-answers.ts';

const PHONE = { width: 360, height: 740 };
/** Breaks out of markup, runs as a script, turns the direction of what follows, and is long. */
export const HOSTILE = `<img src=x onerror="alert(1)"><script>alert(2)</script>\u202E\u2066${'ã'.repeat(10_000)}`;

interface SignIn {
  readonly lang?: string;
  readonly phone?: boolean;
  /** User of `console-app.ts`: maria acts on acme, joao sees it. */
  readonly name?: string;
}

/** The page as built, in a browser, served by a console of its own, on apps whose answers a test gives. */
export interface TestPage {
  readonly url: string;
  /** Folder of the built files. */
  readonly folder: string;
  readonly apps: FakeApps;
  /** Every app answers; the texts that others write are `name`. */
  answerWith(name: string): void;
  open(options?: BrowserContextOptions): Promise<Page>;
  signedIn(path: string, options?: SignIn): Promise<Page>;
  /** Closes what was opened, and throws the faults of the page. */
  close(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTestPage(): Promise<TestPage> {
  const built = await buildPage(join(import.meta.dirname, '../..'));
  const browser = await launchChromium();
  const apps = await startFakeApps();
  const app = await startConsole({ apps: apps.urls, page: built.folder });
  const opened: OpenedPage[] = [];
  const open = async (options?: BrowserContextOptions) => {
    const page = await openPage(browser, options);
    opened.push(page);
    return page.page;
  };
  return {
    url: app.url,
    folder: built.folder,
    apps,
    answerWith: (name) => apps.answer((call) => ({ body: JSON.stringify(answerTo(call, name)) })),
    open,
    signedIn: async (path, { lang = 'pt-BR', phone = false, name = 'maria' } = {}) => {
      const page = await open({ locale: lang, ...(phone && { viewport: PHONE }) });
      await page.goto(`${app.url}${path}`);
      await page.getByLabel(lang === 'en' ? 'User' : 'Usuário').fill(name);
      await page.getByLabel(lang === 'en' ? 'Password' : 'Senha').fill(PASSWORD);
      await page.getByRole('button', { name: lang === 'en' ? 'Sign in' : 'Entrar', exact: true }).click();
      await page.getByRole('link', { name: 'Gondola' }).waitFor();
      return page;
    },
    close: async () => {
      const closed = opened.splice(0);
      for (const page of closed) await page.close();
      const faults = closed.flatMap((page) => page.faults);
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
    stop: async () => {
      await app.stop();
      await apps.stop();
      await browser.close();
      await built.remove();
    },
  };
}
