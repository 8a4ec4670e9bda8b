// npm run docs: writes each guide for ERP developers as a static page beside its Markdown; git ignores them.
import { writeFile } from 'node:fs/promises';
import { GUIDES, pageOf } from './guide-page.ts';

for (const guide of GUIDES) await writeFile(guide.page, await pageOf(guide));
