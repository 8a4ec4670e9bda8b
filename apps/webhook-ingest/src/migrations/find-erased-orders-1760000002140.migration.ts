import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The relay asks of each notification whether its order is erased. */
export class FindErasedOrders1760000002140 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX erasures_partition_key ON erasures (partition_key)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX erasures_partition_key');
  }
}
