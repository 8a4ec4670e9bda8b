import { testStack } from '@gondola/local-stack/test-stack';
import { anyCharacter } from '@gondola/shared/testing/any-character';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { arrayParameter, ReusedPlace } from './array-parameter.ts';

/** PostgreSQL's text cannot contain NUL or half of a surrogate pair. */
const text = fc.string({ unit: anyCharacter }).filter((value) => !value.includes('\0'));
const bytes = fc.uint8Array({ maxLength: 300 });

describe('an array parameter', () => {
  let client: Client;

  beforeAll(async () => {
    client = new Client(testStack().databaseUrl);
    await client.connect();
  });
  afterAll(() => client.end());

  it('passes any texts, bytes and nulls in order to PostgreSQL, in reused memory', async () => {
    const names = new ReusedPlace();
    const contents = new ReusedPlace();
    const pairs = fc.array(fc.tuple(fc.option(text), fc.option(bytes)), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(pairs, async (rows) => {
        const { rows: found } = await client.query({
          text: 'SELECT * FROM unnest($1::text[], $2::bytea[]) AS given (name, content)',
          values: [
            arrayParameter(
              'text',
              rows.map(([name]) => name),
              names,
            ),
            arrayParameter(
              'bytea',
              rows.map(([, content]) => content),
              contents,
            ),
          ],
        });
        expect(found).toEqual(
          rows.map(([name, content]) => ({ name, content: content === null ? null : Buffer.from(content) })),
        );
      }),
    );
  });

  it('is refused by PostgreSQL like a single invalid value', async () => {
    const values = [arrayParameter('text', ['a', 'b\0'], new ReusedPlace())];
    await expect(client.query('SELECT unnest($1::text[])', values)).rejects.toMatchObject({ code: '22021' });
  });
});
