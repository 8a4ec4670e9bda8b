const SWC_HOOKS = new URL('./swc-hooks.ts', import.meta.url).href;

/** Arguments of Node.js, to be given in an app's folder, that run the app from its sources: no build is needed, and none is out of date. */
export const FROM_SOURCES = ['--conditions=gondola-source', '--import', SWC_HOOKS, 'src/main.ts'];
