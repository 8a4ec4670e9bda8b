// npm run docs: writes the guide for ERP developers as one static page per language.
import { writeFile } from 'node:fs/promises';
import { GUIDES, pageOf } from './guide-page.ts';

for (const guide of GUIDES) await writeFile(guide.page, await pageOf(guide));
