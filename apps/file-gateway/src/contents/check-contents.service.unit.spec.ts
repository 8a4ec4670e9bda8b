import { describe, expect, it } from '@jest/globals';
import type { UploadsRepository } from '../uploads/uploads.repository.ts';
import { CheckContents } from './check-contents.service.ts';
import type { ContentDecoder } from './content-decoder.adapter.ts';
import type { ContentVerdict } from '../uploads/content-verdict.ts';

describe('a content that was judged broken', () => {
  it('is judged again by the next command that names it, and one judged whole is not (rule 32)', async () => {
    let stored: ContentVerdict | null = 'broken';
    const verdicts: ContentVerdict[] = ['broken', 'whole'];
    const uploads = {
      find: async () => ({ uploadId: 'u', sha256: 'x', size: 1, mediaType: 'image/png' as const, expiresAt: '' }),
      verdict: async () => stored,
      saveVerdict: async (_: string, verdict: ContentVerdict) => void (stored = verdict),
    };
    const decoder = { judge: async () => verdicts.shift()! };
    const check = new CheckContents(uploads as unknown as UploadsRepository, decoder as unknown as ContentDecoder);
    expect([...(await check.broken('acme', [{ uploadId: 'u' }]))]).toEqual(['u']);
    expect([...(await check.broken('acme', [{ uploadId: 'u' }]))]).toEqual([]);
    expect([stored, verdicts]).toEqual(['whole', []]);
    expect([...(await check.broken('acme', [{ uploadId: 'u' }]))]).toEqual([]);
  });
});
