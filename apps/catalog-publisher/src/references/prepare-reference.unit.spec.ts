import { describe, expect, it } from '@jest/globals';
import { fullBrand, storedReference } from '../../test/support/reference-samples.ts';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import { mentionedReferences, prepareReference } from './prepare-reference.ts';
import type { ReferenceSurroundings } from './reference-rules.ts';

const NOTHING: ReferenceSurroundings = {
  stored: new Map(),
  parents: new Map(),
  sourceVersion: null,
  inUse: false,
  allowedExtraKeys: [],
  language: 'pt-BR',
};

const bytesOf = (value: unknown) => (value === null ? null : Buffer.from(JSON.stringify(value)));

function prepare(
  kind: ReferenceKind,
  value: unknown,
  around: Partial<ReferenceSurroundings> = {},
  externalReference = 'serra',
) {
  return prepareReference({ kind, value: bytesOf(value), externalReference }, { ...NOTHING, ...around });
}

const knownBrand = { stored: new Map([['serra', storedReference('serra', fullBrand())]]) };
const frios = { externalReference: 'frios', name: 'Frios', parentExternalReference: 'mercado' };
const knownCategory = { stored: new Map([['frios', storedReference('frios', frios, { parent: 'mercado' })]]) };

describe('a brand record', () => {
  it('is made whole before it is sent, its control keys left out (rule 21)', () => {
    const change = { externalReference: 'serra', recordId: 'r', title: 'Serra', sourceVersion: 7 };
    expect(prepare('brand', change, knownBrand)).toMatchObject({
      kind: 'ready',
      progress: {
        route: 'post',
        body: fullBrand({ title: 'Serra' }),
        sent: [{ externalReference: 'serra', record: fullBrand({ title: 'Serra' }) }],
        sourceVersion: '7',
      },
      made: [],
    });
  });

  it('is unchanged where nothing of it differs, unless forced, in doubt, or not in the shop (rule 28)', () => {
    const same = { externalReference: 'serra', punctuation: '10.0', title: 'Queijos da Serra' };
    const sameTitle = { externalReference: 'serra', title: 'Queijos da Serra' };
    expect(prepare('brand', sameTitle, knownBrand)).toMatchObject({ conclusion: { outcome: 'unchanged' } });
    expect(prepare('brand', { ...sameTitle, force: true }, knownBrand).kind).toBe('ready');
    for (const more of [{ inDoubt: true }, { exists: false }]) {
      const stored = new Map([['serra', storedReference('serra', fullBrand(), more)]]);
      expect(prepare('brand', sameTitle, { stored }).kind).toBe('ready');
    }
    expect(prepare('brand', same, knownBrand)).toMatchObject({ conclusion: { errors: [{ field: 'punctuation' }] } });
  });

  it('that lacks what a brand needs is invalid, the version remembered; a lower one is stale (rules 20, 28)', () => {
    const lacking = { externalReference: 'serra', name: 'Serra', sourceVersion: 4 };
    expect(prepare('brand', lacking)).toMatchObject({ conclusion: { outcome: 'invalid' }, sourceVersion: '4' });
    expect(prepare('brand', lacking, { sourceVersion: '5' })).toMatchObject({
      conclusion: { reason: { code: 'STALE_VERSION', message: expect.stringMatching(/4.*5/) } },
      sourceVersion: null,
    });
  });

  it('is deleted by DELETE, but not while products name it, unless forced; once is enough (rule 29)', () => {
    for (const gone of [null, { externalReference: 'serra', op: 'delete' }]) {
      expect(prepare('brand', gone, knownBrand)).toMatchObject({ progress: { route: 'delete' } });
      expect(prepare('brand', gone, { ...knownBrand, inUse: true })).toMatchObject({
        conclusion: { outcome: 'invalid', reason: { code: 'REFERENCE_IN_USE' } },
      });
    }
    const forced = { externalReference: 'serra', op: 'delete', force: true };
    expect(prepare('brand', forced, { ...knownBrand, inUse: true })).toMatchObject({ kind: 'ready' });
    const removed = { stored: new Map([['serra', storedReference('serra', null)]]) };
    expect(prepare('brand', null, removed)).toMatchObject({ conclusion: { outcome: 'unchanged' } });
    const onlyHeld = { stored: new Map([['serra', storedReference('serra', null, { revision: '0' })]]) };
    expect(prepare('brand', null, onlyHeld)).toMatchObject({ kind: 'ready' });
  });

  it('cannot be taken off a menu that it is not on', () => {
    expect(prepare('brand', { externalReference: 'serra', op: 'deactivate' }, knownBrand)).toMatchObject({
      conclusion: { outcome: 'invalid', reason: { code: 'COMMAND_UNKNOWN', field: 'op' } },
    });
  });
});

describe('a category record', () => {
  it('is sent with its stored parent, and waits for it as for any other reference (rule 24)', () => {
    const change = { externalReference: 'frios', position: 3 };
    expect(prepare('category', change, knownCategory, 'frios')).toMatchObject({
      progress: { body: { ...frios, position: 3 }, sent: [{ parent: 'mercado' }] },
      made: [{ kind: 'category', externalReference: 'mercado', field: 'parentExternalReference' }],
    });
  });

  it('waits for no parent that is in its own tree (rule 24)', () => {
    const tree = { externalReference: 'mercado', name: 'Mercado', children: [{ externalReference: 'frios' }] };
    const prepared = prepare('category', tree, knownCategory, 'mercado');
    expect(prepared).toMatchObject({ made: [], progress: { sent: [{ parent: null }, { parent: 'mercado' }] } });
  });

  it('is taken off the menu and put back (rule 29)', () => {
    const shown = (op: string) => prepare('category', { externalReference: 'frios', op }, knownCategory, 'frios');
    for (const op of ['delete', 'deactivate']) {
      expect(shown(op)).toMatchObject({ progress: { route: 'post', body: { ...frios, showInStoreFront: false } } });
    }
    expect(prepare('category', null, knownCategory, 'frios')).toMatchObject({
      progress: { body: { showInStoreFront: false } },
    });
    expect(shown('activate')).toMatchObject({ progress: { body: { showInStoreFront: true } } });
  });

  it('that is off the menu stays there until a record says otherwise, and each result says so (rule 29)', () => {
    const hidden = { ...frios, showInStoreFront: false };
    const stored = new Map([['frios', storedReference('frios', hidden, { parent: 'mercado' })]]);
    const warned = {
      field: 'showInStoreFront',
      code: 'STAYS_HIDDEN',
      message: expect.stringContaining('"showInStoreFront": true'),
    };
    expect(prepare('category', frios, { stored }, 'frios')).toMatchObject({
      conclusion: { outcome: 'unchanged' },
      warnings: [warned],
    });
    expect(prepare('category', { ...frios, position: 1 }, { stored }, 'frios')).toMatchObject({
      progress: { body: { showInStoreFront: false }, warnings: [warned] },
    });
    const tree = { externalReference: 'mercado', name: 'Mercado', children: [{ externalReference: 'frios' }] };
    expect(prepare('category', tree, { stored }, 'mercado')).toMatchObject({
      progress: { warnings: [{ field: 'children[0].showInStoreFront', code: 'STAYS_HIDDEN' }] },
    });
    for (const said of [{ showInStoreFront: true }, { showInStoreFront: false, position: 1 }, { op: 'activate' }]) {
      const prepared = prepare('category', { ...frios, ...said }, { stored }, 'frios');
      expect(prepared.kind === 'ready' && prepared.progress.warnings).toBeUndefined();
    }
  });

  it('that is not known cannot be taken off: its name and place would be lost (rule 29)', () => {
    const off = { externalReference: 'frios', op: 'deactivate' };
    expect(prepare('category', off, {}, 'frios')).toMatchObject({
      conclusion: { outcome: 'invalid', reason: { code: 'REFERENCE_MISSING' } },
    });
    expect(prepare('category', { ...off, name: 'Frios' }, {}, 'frios')).toMatchObject({ kind: 'ready' });
  });

  it('is invalid in a cycle, also through what is known or on its way (rule 24)', () => {
    const parents = new Map([
      ['queijos', 'frios'],
      ['frios', null],
    ]);
    const moved = { externalReference: 'frios', parentExternalReference: 'queijos' };
    expect(prepare('category', moved, { ...knownCategory, parents }, 'frios')).toMatchObject({
      conclusion: { reason: { code: 'REFERENCE_CYCLE' } },
    });
  });

  it('mentions the categories of its tree and the parent that it names', () => {
    const tree = { externalReference: 'a', parentExternalReference: 'z', children: [{ externalReference: 'b' }, 1] };
    expect(mentionedReferences({ kind: 'category', value: bytesOf(tree), externalReference: 'a' }).toSorted()).toEqual([
      'a',
      'a',
      'b',
      'z',
    ]);
    expect(mentionedReferences({ kind: 'category', value: null, externalReference: 'a' })).toEqual(['a', 'a']);
  });
});
