import { relative } from 'node:path';

interface Running {
  readonly kafka: string;
  /** Host and port, without credentials. */
  readonly postgres: string;
  readonly urls: Readonly<Record<string, string>>;
  /** File with all addresses, and folder of the logs. */
  readonly addressesFile: string;
  readonly logDir: string;
}

/** Last lines of `npm start`, printed once all runs. Paths below the working folder are relative to it. */
export function runningLines({ kafka, postgres, urls, addressesFile, logDir }: Running, workingDir: string): string[] {
  const shown = (path: string) => (path.startsWith(`${workingDir}/`) ? relative(workingDir, path) : path);
  const named = { Kafka: kafka, PostgreSQL: postgres, ...urls };
  return [
    'Running until Ctrl-C:',
    ...Object.entries(named).map(([name, address]) => `  ${name.padEnd(22)} ${address}`),
    `  also in ${shown(addressesFile)}; logs in ${shown(logDir)}`,
  ];
}
