const SWC_HOOKS = new URL('./swc-hooks.ts', import.meta.url).href;

/**
 * Options of Node.js that run TypeScript of an app as it is, decorators and all: no build is needed, and none is out of
 * date.
 */
export const SOURCES = ['--conditions=gondola-source', '--import', SWC_HOOKS];

/** Arguments of Node.js, to be given in an app's folder, that run the app from its sources. */
export const FROM_SOURCES = [...SOURCES, 'src/main.ts'];
