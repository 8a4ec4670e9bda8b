import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The product of each SKU, what was published of it, and what products refer to. A SKU's row is made before it is
 * sent the first time, so that it never appears under two products; `version` is that of its last snapshot, 0 before
 * the first.
 */
export class CreateSkus1760000001003 implements MigrationInterface {
  readonly name = 'CreateSkus1760000001003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE skus (
        tenant text COLLATE "C" NOT NULL,
        external_reference text COLLATE "C" NOT NULL,
        lane_id bigint NOT NULL,
        product_reference text NOT NULL,
        version bigint NOT NULL DEFAULT 0,
        snapshot text,
        PRIMARY KEY (tenant, external_reference)
      )`);
    await runner.query('CREATE INDEX skus_lane ON skus (lane_id)');
    await runner.query(`
      CREATE TABLE product_references (
        lane_id bigint NOT NULL,
        tenant text NOT NULL,
        kind text NOT NULL,
        external_reference text NOT NULL,
        PRIMARY KEY (lane_id, kind, external_reference)
      )`);
    await runner.query(
      'CREATE INDEX product_references_named ON product_references (tenant, kind, external_reference)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE product_references');
    await runner.query('DROP TABLE skus');
  }
}
