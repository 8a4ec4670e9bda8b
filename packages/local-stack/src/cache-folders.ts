import { fileURLToPath } from 'node:url';

// In the root's node_modules: no other tool writes there, and a new installation starts with an empty cache.
const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/gondola-sources/', import.meta.url));

/** Folder for TypeScript that swc has transformed. */
export const TRANSFORM_CACHE_FOLDER = `${FOLDER}swc`;
/** Folder for V8's compiled code, which makes processes start several times faster. */
export const COMPILE_CACHE_FOLDER = `${FOLDER}v8`;
/** Folder with one empty file for each port that was drawn. */
export const PORTS_FOLDER = `${FOLDER}ports/`;
