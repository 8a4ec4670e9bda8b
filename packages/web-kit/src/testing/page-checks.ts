import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';

/** Waits until something is seen. */
export async function seen(what: Locator): Promise<boolean> {
  await what.first().waitFor();
  return true;
}

/** Serious findings of axe, each as its rule and the element. */
export async function seriousOf(page: Page): Promise<ReadonlyArray<readonly [rule: string, html: string | undefined]>> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => [id, nodes[0]?.html]);
}

export async function isWiderThanItsWindow(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
}

/** Compressed bytes of the scripts of a built page, by their paths. */
export async function compressedBytes(folder: string, paths: Iterable<string>): Promise<number> {
  const sizes = await Promise.all(
    Array.from(paths, async (path) => gzipSync(await readFile(join(folder, path))).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Texts of a built page that name another host, which it must not ask for anything. */
export async function otherHostsOf(folder: string): Promise<string[]> {
  const names = (await readdir(join(folder, 'assets'))).map((name) => join('assets', name));
  const found = await Promise.all(
    ['index.html', ...names].map(async (name) => {
      const other = name === 'index.html' ? /https?:\/\// : /@import\s+url\(["']?https?:|url\(["']?https?:/;
      return other.test(await readFile(join(folder, name), 'utf8')) ? [name] : [];
    }),
  );
  return found.flat();
}
