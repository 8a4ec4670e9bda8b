import type { MigrationInterface, QueryRunner } from 'typeorm';

/** State of the price, warehouse or stock of each lane. */
export class CreateValueLanes1760000001004 implements MigrationInterface {
  readonly name = 'CreateValueLanes1760000001004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE value_lanes (
        lane_id bigint PRIMARY KEY,
        state text NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE value_lanes');
  }
}
