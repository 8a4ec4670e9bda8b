import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lead to the open entries of each cause, and through all open entries in the order of arrival. */
export class QuarantineCauses1760000002002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX quarantine_causes ON quarantine (tenant, reason, detail, received_at) WHERE state = 'open';
      CREATE INDEX quarantine_waiting ON quarantine (id) WHERE state = 'open'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX quarantine_waiting, quarantine_causes');
  }
}
