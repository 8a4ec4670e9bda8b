// Prints what a process has loaded and how large its young generation becomes, after `saveMemory` and the libraries.
import { createRequire } from 'node:module';
import { getHeapSpaceStatistics } from 'node:v8';
import { saveMemory } from '../run/save-memory.ts';

saveMemory();
await import('reflect-metadata');
const { DataSource } = await import('typeorm');
const { isEmail } = await import('class-validator');
const { driver } = new DataSource({ type: 'postgres', url: 'postgres://nobody@127.0.0.1:9/nothing' });

const SURVIVORS = 200_000;
/** Objects that outlive a collection of the young generation, which grows for them by default. */
const survivors = Array.from({ length: SURVIVORS }, (_, index) => ({ index, text: String(index) }));

const youngBytes = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size;
const { cache } = createRequire(import.meta.url);
process.stdout.write(
  JSON.stringify({
    driver: driver.constructor.name,
    isEmail: isEmail('cliente@example.com'),
    loaded: Object.keys(cache),
    survivors: survivors.length,
    youngBytes,
  }),
);
