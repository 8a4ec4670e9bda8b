/** Beginnings of the ids of commands that operators ask for. */
export type AskedBy = 'refresh' | 'release' | 'withdraw';

const ASKED = /^(?:refresh|release|withdraw)-[0-9a-f]{32}$/;

/** Id of a command that an operator asks for; `random` are 16 bytes. */
export function askedCommandId(prefix: AskedBy, random: Uint8Array): string {
  return `${prefix}-${Buffer.from(random).toString('hex')}`;
}

/**
 * `requestedBy` of a command that an operator asked for; null for the ERP's own, whose texts are the ERP's, and once
 * the content is erased.
 */
export function requestedByOf({ commandId, value }: { readonly commandId: string; readonly value: Buffer | null }) {
  if (value === null || !ASKED.test(commandId)) return null;
  const { requestedBy } = JSON.parse(value.toString('utf8')) as { readonly requestedBy?: unknown };
  return typeof requestedBy === 'string' ? requestedBy : null;
}
