import { describe, expect, it } from '@jest/globals';
import { type AnswerShape, maskAnswer } from './mask-answer.ts';

function masked(text: string, shape: AnswerShape): string {
  return maskAnswer(Buffer.from(text), shape).toString('utf8');
}

describe('an answer to who reveals nothing', () => {
  it('has open values as they are, with all their digits and in their order', () => {
    const text = '{"b":1.10,"a":[12345678901234567890,true],"c":null}';
    expect(masked(text, { a: [true], b: true, c: true })).toBe(text);
  });

  it('has of a personal value its first character at most, and that an absent one is absent', () => {
    const text = '{"a":"Maria","b":7,"c":["Maria"],"d":{"Maria":1},"e":null,"f":""}';
    const shape = { a: false, b: false, c: false, d: false, e: false, f: false };
    expect(masked(text, shape)).toBe('{"a":"M***","b":"***","c":"***","d":"***","e":null,"f":"***"}');
  });

  it('has nothing that is not declared, however it is named', () => {
    expect(masked('{"a":"Maria","__proto__":"Maria","toString":"Maria","b":{"c":1,"d":2}}', { b: { c: true } })).toBe(
      '{"b":{"c":1}}',
    );
  });

  it('has every entry of a list and of a map by their shape, and other names by theirs', () => {
    const shape = [{ sku: { '*': { name: true, owner: false } }, '*': false }] as const;
    expect(masked('[{"sku":{"1":{"name":"x","owner":"Maria"}},"note":"Maria"}]', shape)).toBe(
      '[{"sku":{"1":{"name":"x","owner":"M***"}},"note":"M***"}]',
    );
  });

  it('masks what has another form than was declared', () => {
    expect(
      masked('{"a":{"Maria":1},"b":["Maria"],"c":"Maria","d":{"x":1}}', { a: true, b: true, c: [true], d: [true] }),
    ).toBe('{"a":"***","b":"***","c":"M***","d":"***"}');
  });

  it.each(['<p>Maria</p>', '{"a":"Maria"', ''])('has nothing of what is no JSON: %s', (text) => {
    expect(masked(text, { a: true })).toBe('');
  });
});
