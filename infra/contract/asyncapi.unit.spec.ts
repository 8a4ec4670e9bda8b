import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { TOPIC_NAMES } from '@gondola/shared/topics/topics';
import { Parser } from '@asyncapi/parser';
import { describe, expect, it } from '@jest/globals';
import { CONTRACT_FOLDER } from './contract-files.ts';

/** Rule that only reports a newer version of AsyncAPI than 3.0. */
const NEWER_VERSION = 'asyncapi-latest-version';

describe('docs/contract/asyncapi.yaml', () => {
  it('is an AsyncAPI 3 document to the official parser, with every topic', async () => {
    const file = fileURLToPath(new URL('asyncapi.yaml', CONTRACT_FOLDER));
    const { document, diagnostics } = await new Parser().parse(await readFile(file, 'utf8'), { source: file });
    const problems = diagnostics.filter(({ code }) => code !== NEWER_VERSION);
    expect(problems.map(({ message, path }) => `${path.join('.')}: ${message}`)).toEqual([]);
    const channels = document?.channels().all() ?? [];
    expect(new Set(channels.map((channel) => channel.address()))).toEqual(new Set(TOPIC_NAMES));
    const withoutHeaders = channels.flatMap((channel) =>
      channel
        .messages()
        .filter((message) => !message.hasHeaders())
        .map((message) => message.id()),
    );
    expect(withoutHeaders).toEqual([]);
  });
});
