// `node --conditions=gondola-source --import <this file> src/main.ts` runs an app from its sources, including
// decorators, as Jest does: a separate process requires no build and is never out of date. child-app.ts refers to
// this file by its path.
import { enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE_FOLDER, TRANSFORM_CACHE_FOLDER } from './cache-folders.ts';
import { TransformCache } from './transform-cache.ts';

enableCompileCache(COMPILE_CACHE_FOLDER);
// V8 stores compiled code when a process exits normally, which a killed process never does. So it is stored as soon
// as no further module was loaded for a while.
const STORED_AFTER_MS = 500;
const store = setTimeout(flushCompileCache, STORED_AFTER_MS).unref();
const transforms = new TransformCache(TRANSFORM_CACHE_FOLDER);

registerHooks({
  load(url, context, nextLoad) {
    store.refresh();
    if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
    return { format: 'module', source: transforms.load(fileURLToPath(url)), shortCircuit: true };
  },
});
