import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The facts of every order, never changed and never deleted: the view is folded from all of them (guarantee 4).
 * `data` and `error` are the bytes received; what stands beside them was read out of them once. `updated_ticks`
 * counts 100 ns, which timestamptz cannot hold.
 */
export class CreateOrderFacts1760000001001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE order_facts (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        lane_id bigint NOT NULL REFERENCES lanes (id),
        tenant text NOT NULL,
        order_number text NOT NULL,
        dedup_key text NOT NULL UNIQUE,
        source text NOT NULL CHECK (source IN ('notification', 'read')),
        event_type text NOT NULL,
        failure boolean NOT NULL,
        operation_id text,
        status integer,
        updated_at text,
        updated_ticks bigint,
        order_id text,
        has_items boolean NOT NULL,
        hash text NOT NULL,
        data bytea,
        error bytea,
        traceparent text,
        received_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
    await runner.query('CREATE INDEX order_facts_lane ON order_facts (lane_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE order_facts');
  }
}
