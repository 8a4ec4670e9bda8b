import { BrandsAndCategories1763700000000 } from './brands-and-categories-1763700000000.migration.ts';
import { DelayedOperations1763800000000 } from './delayed-operations-1763800000000.migration.ts';
import { Files1763900000000 } from './files-1763900000000.migration.ts';
import { LooseRecords1764000000000 } from './loose-records-1764000000000.migration.ts';
import { Rejections1764100000000 } from './rejections-1764100000000.migration.ts';
import { SandboxTables1763600000000 } from './sandbox-tables-1763600000000.migration.ts';

/** All migrations, oldest first. */
export const MIGRATIONS = [
  SandboxTables1763600000000,
  BrandsAndCategories1763700000000,
  DelayedOperations1763800000000,
  Files1763900000000,
  LooseRecords1764000000000,
  Rejections1764100000000,
] as const;
