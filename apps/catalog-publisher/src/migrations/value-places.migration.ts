import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * SKU of a price's or stock's lane, so that the SKU leads to it. Older rows are found after their next outcome.
 */
export class AddValuePlaces1760000001005 implements MigrationInterface {
  readonly name = 'AddValuePlaces1760000001005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE value_lanes ADD COLUMN tenant text, ADD COLUMN kind text,
      ADD COLUMN external_reference text`);
    await runner.query('CREATE INDEX value_lanes_named ON value_lanes (tenant, external_reference)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX value_lanes_named');
    await runner.query(`ALTER TABLE value_lanes DROP COLUMN external_reference, DROP COLUMN kind, DROP COLUMN tenant`);
  }
}
