import { defineConfig } from 'vite';

/** The page, built to `dist/web`, from where the server serves it. All it needs is in its files: no other host. */
export default defineConfig({
  root: 'web',
  logLevel: 'warn',
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
