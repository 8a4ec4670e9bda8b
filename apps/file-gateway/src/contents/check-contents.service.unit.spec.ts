import { describe, expect, it } from '@jest/globals';
import type { UploadsRepository } from '../uploads/uploads.repository.ts';
import { CheckContents } from './check-contents.service.ts';
import type { ContentDecoder } from './content-decoder.adapter.ts';
import type { ContentVerdict, Judgement } from '../uploads/content-verdict.ts';

describe('a content that was judged', () => {
  it('is judged again by the next command that names it if it was broken, and not if it was whole (rule 32)', async () => {
    let stored: ContentVerdict | null = 'broken';
    const cutOff = { kind: 'cut-off' } as const;
    const verdicts: Judgement[] = [cutOff, 'whole'];
    const uploads = {
      find: async () => ({ uploadId: 'u', sha256: 'x', size: 1, mediaType: 'image/png' as const, expiresAt: '' }),
      verdict: async () => stored,
      saveVerdict: async (_: string, verdict: ContentVerdict) => void (stored = verdict),
    };
    const decoder = { judge: async () => verdicts.shift()! };
    const check = new CheckContents(uploads as unknown as UploadsRepository, decoder as unknown as ContentDecoder);
    expect([...(await check.faults('acme', [{ uploadId: 'u' }]))]).toEqual([['u', cutOff]]);
    expect([...(await check.faults('acme', [{ uploadId: 'u' }]))]).toEqual([]);
    expect([stored, verdicts]).toEqual(['whole', []]);
    expect([...(await check.faults('acme', [{ uploadId: 'u' }]))]).toEqual([]);
  });

  it('is stored as broken if it takes too much to be decoded, and its reason is found again (rule 32)', async () => {
    let stored: ContentVerdict | null = null;
    const uploads = {
      find: async () => ({ uploadId: 'u', sha256: 'x', size: 1, mediaType: 'image/png' as const, expiresAt: '' }),
      verdict: async () => stored,
      saveVerdict: async (_: string, verdict: ContentVerdict) => void (stored = verdict),
    };
    const cost = { kind: 'pixels', width: 9, height: 9, limit: 80 } as const;
    const decoder = { judge: async () => cost };
    const check = new CheckContents(uploads as unknown as UploadsRepository, decoder as unknown as ContentDecoder);
    for (let time = 0; time < 2; time += 1) {
      expect([...(await check.faults('acme', [{ uploadId: 'u' }]))]).toEqual([['u', cost]]);
      expect(stored).toBe('broken');
    }
  });
});
