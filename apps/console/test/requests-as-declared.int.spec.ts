import { describe, expect, it } from '@jest/globals';
import { IMPOSSIBLE_TIMES, POSSIBLE_TIMES } from '@gondola/service-kit/testing/request-times';
import { readUnstartedApps } from '@gondola/service-kit/testing/unstarted-apps';
import { APP_NAMES } from '../src/operations-apis/app-name.ts';
import { type DeclaredField, declaredFields } from './support/declared-requests.ts';

const LONG = 5_000;

interface Tries {
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

/** Fields on which more decides than their own form, which a document cannot say. */
const MORE_DECIDES: readonly RegExp[] = [
  // An app acts on its dead letters, or on its quarantine.
  /\/api\/jobs\S* body action=/,
  /\/api\/jobs body note=.* it is needed for discard, and for nothing else/,
  // An app replays the topics that it publishes, up to now.
  /\/api\/replays body .*(in the future|which this app does not publish)/,
  /\/api\/notifications query identity=.* identity needs entity/,
];

/** Values at the limits of a schema, and just beyond them. */
function triesOf({ name, place, schema }: DeclaredField): Tries {
  const { type, format, enum: words, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  if (format === 'date-time') return { good: POSSIBLE_TIMES, bad: IMPOSSIBLE_TIMES };
  if (words !== undefined) return { good: words, bad: ['no-such-word'] };
  if (type === 'integer') {
    return {
      good: [minimum ?? 1, ...(maximum === undefined ? [] : [maximum])],
      bad: [...(minimum === undefined ? [] : [minimum - 1]), ...(maximum === undefined ? [] : [maximum + 1]), 1.5, 'x'],
    };
  }
  if (type === 'array') {
    return {
      good: maxItems === undefined ? [] : [Array(maxItems).fill('1')],
      bad: [
        ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill('1')]),
        ...((minItems ?? 0) > 0 ? [[]] : []),
        'x',
      ],
    };
  }
  if (type !== 'string' || format !== undefined) return { good: [], bad: [] };
  if (schema.pattern !== undefined) return patternTries(schema.pattern);
  // The tenants file decides about the tenant.
  const longest = name === 'tenant' ? [] : ['x'.repeat(maxLength ?? LONG), '😀'.repeat((maxLength ?? LONG) / 2)];
  return {
    good: longest,
    bad: [
      ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
      ...(place === 'body' && minLength !== undefined ? [''] : []),
    ],
  };
}

function patternTries(pattern: string): Tries {
  const form = new RegExp(pattern);
  const texts = ['1', '1'.repeat(15), '1'.repeat(18), '1'.repeat(19), 'a'.repeat(64), 'a'.repeat(65), 'x', '-1', '1 '];
  return { good: texts.filter((text) => form.test(text)), bad: texts.filter((text) => !form.test(text)) };
}

describe('the operations APIs', () => {
  it('take what their documents declare up to its limits, and refuse with 400 what is beyond, never with 500', async () => {
    const apps = await readUnstartedApps(new URL('../../', import.meta.url), APP_NAMES, async (app, name) => {
      const wrong: string[] = [];
      let times = 0;
      for (const field of await declaredFields(app, 'an-unused-token-of-some-length')) {
        const { good, bad } = triesOf(field);
        if (field.schema.format === 'date-time') times += 1;
        for (const value of [...good, ...bad]) {
          const { status, message } = await field.ask(value);
          const names = status === 400 && message.includes(field.name);
          if (status !== 500 && names === bad.includes(value)) continue;
          const shown = JSON.stringify(value).slice(0, 60);
          const said = `${name} ${field.route} ${field.place} ${field.name}=${shown}: ${status} ${message}`;
          if (!MORE_DECIDES.some((exception) => exception.test(said))) wrong.push(said.slice(0, 250));
        }
      }
      return { wrong, times };
    });
    expect(apps.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(apps.map(({ times }) => times).every((times) => times > 0)).toBe(true);
  });
});
