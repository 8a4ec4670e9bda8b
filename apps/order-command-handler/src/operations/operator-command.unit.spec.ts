import { describe, expect, it } from '@jest/globals';
import { askedCommandId, requestedByOf } from './operator-command.ts';

const value = (content: object): Buffer => Buffer.from(JSON.stringify(content));

describe('the one who asked for a command', () => {
  const commandId = askedCommandId('release', new Uint8Array(16));

  it('is the operator of a command that the operations API wrote', () => {
    expect(requestedByOf({ commandId, value: value({ requestedBy: 'maria' }) })).toBe('maria');
  });

  it('is nobody for a command of the ERP, whatever it says, and once the content is erased', () => {
    expect(requestedByOf({ commandId: 'release-1', value: value({ requestedBy: 'Cliente' }) })).toBe(null);
    expect(requestedByOf({ commandId, value: null })).toBe(null);
    expect(requestedByOf({ commandId, value: value({ requestedBy: 7 }) })).toBe(null);
  });
});
