import { fileURLToPath } from 'node:url';

// In the root's node_modules: nobody else writes there, and a new installation begins with an empty one.
const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/gondola-sources/', import.meta.url));

/** Where TypeScript that swc has transformed is stored. */
export const TRANSFORM_CACHE_FOLDER = `${FOLDER}swc`;
/** Where V8 stores what it has compiled; a process of ours starts in a fraction of the time. */
export const COMPILE_CACHE_FOLDER = `${FOLDER}v8`;
