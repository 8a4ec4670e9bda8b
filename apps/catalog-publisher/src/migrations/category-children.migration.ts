import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Children of a category: a resend of a category goes down its tree. */
export class IndexCategoryChildren1760000001022 implements MigrationInterface {
  readonly name = 'IndexCategoryChildren1760000001022';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX catalog_references_children ON catalog_references (tenant, parent)
        WHERE kind = 'category' AND parent IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX catalog_references_children');
  }
}
