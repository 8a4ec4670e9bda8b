import { describe, expect, it } from '@jest/globals';
import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { ColumnOptions, MigrationInterface, QueryRunner } from 'typeorm';
import type { EntityClass } from '../database/repositories.ts';
import { schemaDifferences } from './schema-comparison.ts';

class CreateCrates1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE crates (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        label text NOT NULL,
        place text COLLATE "C",
        size integer NOT NULL DEFAULT 0,
        volume integer GENERATED ALWAYS AS (size * 2) STORED,
        UNIQUE (label, place)
      )`);
    await runner.query('CREATE INDEX crates_place ON crates (place) WHERE place IS NOT NULL');
    await runner.query('CREATE INDEX crates_lower ON crates (lower(label))');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE crates');
  }
}

interface Deviation {
  label?: Partial<ColumnOptions>;
  place?: Partial<ColumnOptions>;
  size?: Partial<ColumnOptions>;
  volume?: Partial<ColumnOptions>;
  index?: string[];
  unique?: string;
}

/** The entity of `crates`, or one with deviations. */
function crate({ label, place, size, volume, index = ['place'], unique = 'crates_label_place_key' }: Deviation = {}) {
  @Entity('crates')
  @Unique(unique, ['label', 'place'])
  @Index('crates_place', index, { where: 'place IS NOT NULL' })
  class Crate {
    @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
    id!: string;
    @Column({ type: 'text', ...label })
    label!: string;
    @Column({ type: 'text', nullable: true, collation: 'C', ...place })
    place!: string | null;
    @Column({ type: 'integer', default: 0, ...size })
    size!: number;
    @Column({ type: 'integer', nullable: true, generatedType: 'STORED', asExpression: '(size * 2)', ...volume })
    volume!: number | null;
  }
  return Crate;
}

@Entity('crates')
class CrateWithLess {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;
}

async function compare(...entities: EntityClass[]): Promise<string> {
  const differences = await schemaDifferences({ entities, migrations: [CreateCrates1700000000000] });
  return differences.join('\n');
}

describe('schemaDifferences', () => {
  it('finds nothing where entity and migration agree', async () => {
    expect(await compare(crate())).toBe('');
  });

  it.each<[what: string, deviation: Deviation, statement: RegExp]>([
    ['a column of another type', { size: { type: 'bigint' } }, /"size" bigint|"size" TYPE bigint/],
    ['a column that may be null on one side alone', { label: { nullable: true } }, /"label" DROP NOT NULL/],
    ['a column that the table lacks', { label: { name: 'title' } }, /"label" TO "title"|"title"/],
    ['another default', { size: { default: 1 } }, /"size" SET DEFAULT '1'/],
    ['another collation', { place: { collation: 'POSIX' } }, /"place"/],
    ['another expression of a generated column', { volume: { asExpression: '(size * 3)' } }, /"volume"/],
    ['an index on other columns', { index: ['place', 'size'] }, /DROP INDEX .*crates_place/],
    ['a unique constraint of another name', { unique: 'crates_unique' }, /DROP CONSTRAINT "crates_label_place_key"/],
  ])('finds %s', async (_what, deviation, statement) => {
    expect(await compare(crate(deviation))).toMatch(statement);
  });

  it('finds columns, a unique constraint and an index that no entity names', async () => {
    const found = await compare(CrateWithLess);
    for (const what of ['DROP COLUMN "label"', 'DROP INDEX', 'DROP CONSTRAINT "crates_label_place_key"']) {
      expect(found).toContain(what);
    }
  });

  it('finds an index that the table lacks', async () => {
    const extended = crate();
    Index('crates_size', ['size'])(extended);
    expect(await compare(extended)).toMatch(/CREATE INDEX "crates_size"/);
  });

  it('leaves a table without an entity to its migration', async () => {
    expect(await compare()).toBe('');
  });

  it.each([
    ['an identity of another name', 'number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY'],
    [
      'an identity whose constraint has another name',
      'id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT k PRIMARY KEY',
    ],
    ['a number that others give, under the name of an identity', 'id bigint PRIMARY KEY'],
  ])('finds %s', async (_what, column) => {
    class CreateKey1700000000002 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        await runner.query(`CREATE TABLE keys (${column}); CREATE TABLE given (id text PRIMARY KEY)`);
      }
      async down(runner: QueryRunner): Promise<void> {
        await runner.query('DROP TABLE keys, given');
      }
    }
    const differences = await schemaDifferences({ entities: [], migrations: [CreateKey1700000000002] });
    expect(differences).toEqual([
      expect.stringMatching(/^Table "keys" has a primary key .+ whether it is an identity$/),
    ]);
  });

  it('finds a table that the way back leaves', async () => {
    class CreateForGood1700000000001 extends CreateCrates1700000000000 {
      override async down(): Promise<void> {}
    }
    const differences = await schemaDifferences({ entities: [crate()], migrations: [CreateForGood1700000000001] });
    expect(differences).toEqual(['Table "crates" is left after the way back']);
  });
});
