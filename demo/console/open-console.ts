import { launchChromium, type OpenedPage, openPage } from '@gondola/local-stack/testing/chromium';
import type { Gondola } from '../play/gondola.ts';

/** The console in a browser of its own, after its link has signed in. */
export interface OpenedConsole extends OpenedPage {
  /** Opens a page of the console, and returns once it is read and nothing of it is still loading. */
  show(path: string, heading: string): Promise<void>;
}

type BrowserOptions = NonNullable<Parameters<typeof openPage>[1]>;

/** Starts a Chromium and signs in with the link of this start, which does so once. */
export async function openConsole(
  { urls, consoleLink }: Pick<Gondola, 'urls' | 'consoleLink'>,
  options: BrowserOptions = {},
): Promise<OpenedConsole> {
  const browser = await launchChromium();
  const { page, faults } = await openPage(browser, options);
  await page.goto(consoleLink);
  await page.getByRole('link', { name: 'Gondola' }).waitFor();
  return {
    page,
    faults,
    show: async (path, heading) => {
      await page.goto(`${urls.console}${path}`);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      await page.getByText('Carregando…').first().waitFor({ state: 'hidden' });
    },
    close: () => browser.close(),
  };
}
