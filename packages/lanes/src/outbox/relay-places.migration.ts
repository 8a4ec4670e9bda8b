import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For each partition that a relay writes, an offset at or before the first record that it may have sent and not marked.
 */
export class RelayPlaces1760000009001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE relay_places (
        source text NOT NULL,
        topic text NOT NULL,
        partition integer NOT NULL,
        record_offset bigint NOT NULL,
        PRIMARY KEY (source, topic, partition)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE relay_places');
  }
}
