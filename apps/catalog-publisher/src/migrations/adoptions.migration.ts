import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Products whose SKUs an operator adopts, as a shop has them that was filled before Gondola came. */
export class AddAdoptions1760000001020 implements MigrationInterface {
  readonly name = 'AddAdoptions1760000001020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE products ADD COLUMN adoption text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE products DROP COLUMN adoption');
  }
}
