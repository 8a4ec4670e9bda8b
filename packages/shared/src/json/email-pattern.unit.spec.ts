import { describe, expect, it } from '@jest/globals';
import { emailsIn } from './email-pattern.ts';

const found = (text: string): string[] => emailsIn(Buffer.from(text));

describe('the e-mails in JSON text', () => {
  it('are found however they are written, each once', () => {
    const text = String.raw`{"email" : "A\u002bB@example.com ", "user": {"email":"a+b@example.com", "Email": "ção@example.com"}}`;
    expect(found(text)).toEqual(['a+b@example.com', 'ção@example.com']);
  });

  it('are found in what is broken, and not under another key', () => {
    expect(found('{"data": {"email": "a@example.com"')).toEqual(['a@example.com']);
    expect(found('{"emails": "a@example.com", "x": "email"}')).toEqual([]);
    expect(found(String.raw`{"email": "\u00"}`)).toEqual([]);
  });

  it('are at most a hundred', () => {
    expect(found(Array.from({ length: 200 }, (_each, n) => `"email":"${n}@example.com"`).join())).toHaveLength(100);
  });
});
