// npm run docs: writes the guide of ERP developers as one static page in each language.
import { writeFile } from 'node:fs/promises';
import { GUIDES, pageOf } from './guides.ts';

for (const guide of GUIDES) await writeFile(guide.page, await pageOf(guide));
