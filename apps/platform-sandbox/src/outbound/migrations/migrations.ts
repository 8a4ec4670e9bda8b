import { SandboxTables1763600000000 } from './sandbox-tables-1763600000000.migration.ts';

/** All migrations, oldest first. */
export const MIGRATIONS = [SandboxTables1763600000000] as const;
