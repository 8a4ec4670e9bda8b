import type { OpenCommand } from './commands.ts';

/**
 * When a command came, in milliseconds since 1970: by its record's own time, which does not depend on how fast Gondola
 * reads; by that of its receipt if the record has none, or one that was still to come.
 */
export function cameAtOf({ producedAt, receivedAt }: Pick<OpenCommand, 'producedAt' | 'receivedAt'>): number {
  const received = Date.parse(receivedAt);
  return producedAt === null ? received : Math.min(Date.parse(producedAt), received);
}
