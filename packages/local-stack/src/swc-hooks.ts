// `node --conditions=gondola-source --import <this file> src/main.ts` runs an app from its sources, with its
// decorators, as Jest does: a process of its own needs no build, and is never an old one. Called by its path in
// child-app.ts.
import { enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE_FOLDER, TRANSFORM_CACHE_FOLDER } from './compile-cache.ts';
import { TransformCache } from './transform-cache.ts';

enableCompileCache(COMPILE_CACHE_FOLDER);
// What V8 compiled is stored when a process exits, which one that is killed never does: so it is stored as soon as no
// further module has been loaded for a while.
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
