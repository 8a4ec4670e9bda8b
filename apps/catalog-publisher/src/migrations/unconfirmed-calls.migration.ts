import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The calls of a record that ended `unconfirmed` were called sendings in what is stored of its product. */
export class NameUnconfirmedCalls1760000001006 implements MigrationInterface {
  readonly name = 'NameUnconfirmedCalls1760000001006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(renamedInKnown('sendings', 'calls'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(renamedInKnown('calls', 'sendings'));
  }
}

/** A key's text cannot stand inside a JSON string, whose quotation marks are escaped. */
function renamedInKnown(from: string, to: string): string {
  return `UPDATE products SET known = replace(known, '"${from}":', '"${to}":') WHERE known LIKE '%"${from}":%'`;
}
