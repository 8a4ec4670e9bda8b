import { describe, expect, it } from '@jest/globals';
import { DEFAULT_UPLOAD_BYTES } from '../config.ts';
import { containerBytes, moreBytes } from './decoder-memory.ts';
import { PICTURE_BYTES } from './picture-header.ts';

describe('the memory of a container', () => {
  it('grows by six bytes with each byte that an upload may have, as the chart says (guarantee 5)', () => {
    expect(containerBytes(DEFAULT_UPLOAD_BYTES + 1) - containerBytes(DEFAULT_UPLOAD_BYTES)).toBe(6);
  });

  it('has room in a decoder’s limit for the largest picture that its header allows (rule 32)', () => {
    expect(moreBytes('picture', DEFAULT_UPLOAD_BYTES)).toBeGreaterThan(PICTURE_BYTES + DEFAULT_UPLOAD_BYTES);
    expect(moreBytes('pdf', DEFAULT_UPLOAD_BYTES)).toBeGreaterThan(DEFAULT_UPLOAD_BYTES);
  });
});
