// Ports of the apps. A lasting start uses those of its first start, because the shop's webhook points to one of
// them and can never be changed.
import { readFile, writeFile } from 'node:fs/promises';
import { freePort, isFree } from '@gondola/local-stack/free-port';

export type Ports<App extends string> = Record<App, number>;

/** Default ports of the contract. */
const DEFAULT_PORTS: Record<string, number> = {
  'webhook-ingest': 8081,
  'file-gateway': 8082,
  'order-command-handler': 8083,
  'catalog-publisher': 8084,
  console: 8085,
  'platform-sandbox': 8090,
};

interface Lasting {
  file: string;
  say: (line: string) => void;
}

/**
 * Free ports for the apps: from `choose`, or, for a lasting start, those of its file, else the default ones. A port
 * in use is replaced and reported, except the webhook's port: that throws a sentence.
 */
export async function choosePorts<App extends string>(
  apps: readonly App[],
  how: Lasting | (() => Promise<number>),
): Promise<Ports<App>> {
  if (typeof how === 'function') {
    const entries = apps.map(async (app) => [app, await how()] as const);
    return Object.fromEntries(await Promise.all(entries)) as Ports<App>;
  }
  const known = await readPorts(how.file);
  const entries = apps.map(async (app) => {
    const wanted = known?.[app] ?? DEFAULT_PORTS[app];
    if (wanted !== undefined && (await isFree(wanted))) return [app, wanted] as const;
    if (app === 'webhook-ingest' && known !== undefined) {
      throw new Error(
        `Port ${wanted} of ${app}, to which the shop's webhook points, is in use: free it and run npm start again, or start over with npm run reset`,
      );
    }
    const other = await freePort();
    how.say(`port ${wanted} is in use, so ${app} listens on ${other}`);
    return [app, other] as const;
  });
  const ports = Object.fromEntries(await Promise.all(entries)) as Ports<App>;
  await writeFile(how.file, JSON.stringify(ports));
  return ports;
}

async function readPorts(file: string): Promise<Record<string, number> | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, number>;
  } catch {
    return undefined;
  }
}
