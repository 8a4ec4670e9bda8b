import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { checksum } from './kafkajs-native.ts';

const ownChecksum = createRequire(import.meta.url)(
  'kafkajs/src/protocol/recordBatch/crc32C/crc32C.js',
) as typeof checksum;

describe('the native CRC32C', () => {
  it('gives the check value of the algorithm', () => {
    expect(checksum(Buffer.from('123456789'))).toBe(0xe306_9283);
  });

  it('gives what kafkajs computes, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000 }), (array) => {
        const bytes = Buffer.from(array);
        expect(checksum(bytes)).toBe(ownChecksum(bytes));
      }),
    );
  });

  it('is what kafkajs uses in an app', () => {
    const module = fileURLToPath(new URL('./kafkajs-native.ts', import.meta.url));
    const program = `
      import { createRequire } from 'node:module';
      const { checksum, Kafka } = await import(${JSON.stringify(module)});
      const require = createRequire(${JSON.stringify(module)});
      const used = require('kafkajs/src/protocol/recordBatch/crc32C');
      console.log(used === checksum && require('kafkajs').Kafka === Kafka);`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    expect(output.trim()).toBe('true');
  });
});
