import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateShelves1700000000000 implements MigrationInterface {
  name = 'CreateShelves1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE shelves (id bigint PRIMARY KEY, name text NOT NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE shelves');
  }
}
