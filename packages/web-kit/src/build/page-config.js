// JavaScript: Vite leaves it to Node.js to load this file, and the machine's own may be too old for types.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defaultClientConditions, defineConfig } from 'vite';

/**
 * Writes each text file compressed, too, so that the server compresses nothing while a browser waits.
 * @type {import('vite').Plugin}
 */
const compressed = {
  name: 'compressed',
  writeBundle({ dir = '' }) {
    for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:js|css|html|svg)$/.test(file)) continue;
      const content = readFileSync(join(dir, file));
      writeFileSync(join(dir, `${file}.br`), brotliCompressSync(content));
      writeFileSync(join(dir, `${file}.gz`), gzipSync(content));
    }
  },
};

/**
 * The page of an app, built from `web` to `dist/web`, from where its server serves it. All it needs is in its files: no
 * other host.
 */
export default defineConfig({
  root: 'web',
  logLevel: 'warn',
  plugins: [compressed],
  // Sources of the packages, which need no build of their own.
  resolve: { conditions: ['gondola-source', ...defaultClientConditions] },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // Inlined files would be `data:` addresses, which the Content-Security-Policy does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // "use client" of the components' library speaks to servers that render; there is none.
    rolldownOptions: {
      onLog: (level, log, handle) => !/MODULE_LEVEL_DIRECTIVE|TIMINGS/.test(log.code ?? '') && handle(level, log),
    },
  },
});
