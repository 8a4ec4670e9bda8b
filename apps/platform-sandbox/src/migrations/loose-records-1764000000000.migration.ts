import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Prices, warehouses and stock: whole objects with a known identity and unknown fields. */
export class LooseRecords1764000000000 implements MigrationInterface {
  name = 'LooseRecords1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE loose_records (
        seq bigint GENERATED ALWAYS AS IDENTITY,
        contract_account_id text NOT NULL REFERENCES tenants,
        entity text NOT NULL,
        identity text NOT NULL,
        data json NOT NULL,
        PRIMARY KEY (contract_account_id, entity, identity)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE loose_records');
  }
}
