import { differingTexts } from '@gondola/web-kit/testing/flat-texts';
import { expect, it } from '@jest/globals';
import { EN } from './en.ts';
import { PT_BR } from './pt-br.ts';

it('the texts have the same names to fill in in both languages, and are nowhere empty', () => {
  expect([...differingTexts(PT_BR, EN), ...differingTexts(EN, PT_BR)]).toEqual([]);
});
