import { Injectable } from '@nestjs/common';
import { deleteInSteps } from '@gondola/lanes/store/delete-in-steps';
import { type Column, insertRows } from '@gondola/lanes/store/new-rows';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { parseBytes } from '@gondola/shared/json/json-digits';
import { type ReadResult, readResult } from '@gondola/shared/results/read-result';
import { In } from 'typeorm';
import { PdfResultEntity } from './pdf-result.entity.ts';

/** A result of file-gateway about the PDF of a command. */
export interface NewPdfResult {
  readonly tenant: string;
  /** The record's `ce_id`. */
  readonly resultId: string;
  readonly parentCommandId: string;
  readonly value: Uint8Array;
}

const COLUMNS: readonly Column<NewPdfResult>[] = [
  ['tenant', 'text', ({ tenant }) => tenant],
  ['result_id', 'text', ({ resultId }) => resultId],
  ['parent_command_id', 'text', ({ parentCommandId }) => parentCommandId],
  ['value', 'bytea', ({ value }) => value],
];

/** $1 milliseconds for which results stay. */
export const OLDEST_PDF_RESULT = `
  SELECT min(received_at) + $1::float8 * interval '1 millisecond' AS due FROM pdf_results`;

/** The table `pdf_results`: each result once, by its id. */
@Injectable()
export class PdfResultsRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: Tx, results: readonly NewPdfResult[]): Promise<void> {
    const sorted = results.toSorted((one, other) => (one.resultId < other.resultId ? -1 : 1));
    await insertRows(tx, 'pdf_results', COLUMNS, sorted, 'ON CONFLICT (result_id) DO NOTHING');
  }

  /** Deletes the results of these commands; returns their number. */
  async delete(tx: Tx, tenant: string, parentCommandIds: readonly string[]): Promise<number> {
    const { rowCount } = await tx.query(
      'DELETE FROM pdf_results WHERE tenant = $1 AND parent_command_id = ANY ($2::text[])',
      [tenant, parentCommandIds],
    );
    return rowCount ?? 0;
  }

  async deleteBefore(before: Date): Promise<void> {
    await deleteInSteps(this.database, 'pdf_results', 'received_at < $1', [before]);
  }

  /** Results of each parent command, oldest first. */
  async ofCommands(
    tenant: string,
    parentCommandIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly ReadResult[]>> {
    if (parentCommandIds.length === 0) return new Map();
    const rows = await this.database.repository(PdfResultEntity).find({
      select: { parentCommandId: true, value: true },
      where: { tenant, parentCommandId: In(parentCommandIds) },
      order: { id: 'ASC' },
    });
    const byCommand = Map.groupBy(rows, (row) => row.parentCommandId);
    return new Map(
      [...byCommand].map(([id, its]) => [id, its.flatMap(({ value }) => readResult(parseBytes(value)) ?? [])]),
    );
  }
}
