// Writes Java classes of an AsyncAPI document: modelina.mjs <folder of packages> <document> <folder of classes>
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [packages, document, folder] = process.argv.slice(2);
const installed = createRequire(join(packages, 'any.js'));
const { JAVA_JACKSON_PRESET, JavaFileGenerator } = installed('@asyncapi/modelina');
const { Parser, fromFile } = installed('@asyncapi/parser');

const parsed = await fromFile(new Parser(), document).parse();
const generator = new JavaFileGenerator({ presets: [JAVA_JACKSON_PRESET], collectionType: 'List' });
await generator.generateToFiles(parsed.document, folder, { packageName: 'records' });
