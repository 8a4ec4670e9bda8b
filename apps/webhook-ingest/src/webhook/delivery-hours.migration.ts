import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries of known senders by hour, for the last 48 hours; repeats and refused ones have no other row. */
export class DeliveryHours1760000002003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE delivery_hours (
        hour timestamptz NOT NULL,
        tenant text NOT NULL,
        -- a \`ReceivedOutcome\`
        outcome text NOT NULL,
        deliveries bigint NOT NULL,
        PRIMARY KEY (hour, tenant, outcome)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE delivery_hours');
  }
}
