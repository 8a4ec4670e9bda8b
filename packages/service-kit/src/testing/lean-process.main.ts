// Prints how large the young generation of a process becomes, in bytes, after `saveMemory`.
import { getHeapSpaceStatistics } from 'node:v8';
import { saveMemory } from '../run/save-memory.ts';

saveMemory();

const SURVIVORS = 200_000;
/** Objects that outlive a collection of the young generation, which grows for them by default. */
const survivors = Array.from({ length: SURVIVORS }, (_, index) => ({ index, text: String(index) }));

const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
if (survivors.length === SURVIVORS) process.stdout.write(String(young?.space_size));
