import { describe, expect, it } from '@jest/globals';
import { CATEGORY_FIELDS } from './category-record.dto.ts';
import { type CategoryContext, prepareCategory } from './category-record.ts';
import { CategoryRecordDto } from './category-record.dto.ts';
import { type JsonRecord, stringifyWithDigits } from '../json/json-digits.ts';
import { listed } from '../testing/catalog-samples.ts';

const NOTHING: CategoryContext = { language: 'en', known: new Map(), parents: new Map() };

const errorsOf = (content: JsonRecord, context: Partial<CategoryContext> = {}) =>
  listed(prepareCategory(content, { ...NOTHING, ...context }).errors);

const category = (externalReference: string, more: JsonRecord = {}): JsonRecord => ({
  externalReference,
  name: externalReference.toUpperCase(),
  ...more,
});

describe('a category record', () => {
  it('has a DTO property for every field of the table', () => {
    expect(Object.keys(new CategoryRecordDto())).toEqual(Object.keys(CATEGORY_FIELDS));
  });

  it('is sent whole, always with its stored parent (rules 21, 24)', () => {
    const known = new Map([['frios', category('frios', { parentExternalReference: 'mercado', position: 2 })]]);
    const parents = new Map([['frios', 'mercado']]);
    const change = { externalReference: 'frios', title: 'Frios', position: '3' };
    const { body, nodes, errors } = prepareCategory(change, { ...NOTHING, known, parents });
    expect(errors).toEqual([]);
    expect(body).toEqual(category('frios', { parentExternalReference: 'mercado', position: 3, title: 'Frios' }));
    expect(nodes).toEqual([{ externalReference: 'frios', parent: 'mercado', record: body }]);
  });

  it('is moved to the root by null, which is sent', () => {
    const known = new Map([['frios', category('frios', { parentExternalReference: 'mercado' })]]);
    const moved = { externalReference: 'frios', parentExternalReference: null };
    const { body, nodes } = prepareCategory(moved, { ...NOTHING, known });
    expect(stringifyWithDigits(body)).toContain('"parentExternalReference":null');
    expect(nodes).toMatchObject([{ parent: null }]);
  });

  it('is sent as one tree of whole categories, in which the place of each determines its parent (rule 24)', () => {
    const known = new Map([['queijos', category('queijos', { parentExternalReference: 'padaria', title: 'Queijos' })]]);
    const tree = category('mercado', { children: [category('frios', { children: [category('queijos')] })] });
    const { body, nodes, errors } = prepareCategory(tree, { ...NOTHING, known });
    expect(errors).toEqual([]);
    expect(body).toEqual(
      category('mercado', {
        children: [category('frios', { children: [category('queijos', { title: 'Queijos' })] })],
      }),
    );
    expect(nodes.map(({ externalReference, parent }) => [externalReference, parent])).toEqual([
      ['mercado', null],
      ['frios', 'mercado'],
      ['queijos', 'frios'],
    ]);
    expect(nodes[2]?.record).toEqual(category('queijos', { title: 'Queijos', parentExternalReference: 'frios' }));
  });

  it.each<[string, JsonRecord, string[][]]>([
    ['an unknown key', category('a', { postion: 1 }), [['postion', 'FIELD_UNKNOWN']]],
    ['a wrong type', category('a', { showInStoreFront: 'yes' }), [['showInStoreFront', 'FIELD_TYPE']]],
    ['children that are no list', category('a', { children: {} }), [['children', 'FIELD_TYPE']]],
    ['children that are no objects', category('a', { children: [1] }), [['children', 'FIELD_TYPE']]],
    [
      'a child without reference, and its child',
      category('a', { children: [{ name: 'x', children: [{ children: 7 }] }] }),
      [
        ['children[0].externalReference', 'FIELD_REQUIRED'],
        ['children[0].children[0].externalReference', 'FIELD_REQUIRED'],
        ['children[0].children[0].children', 'FIELD_TYPE'],
      ],
    ],
    [
      'an unknown key in a child',
      category('a', { children: [category('b', { nome: 1 })] }),
      [['children[0].nome', 'FIELD_UNKNOWN']],
    ],
    [
      'a control key in a child',
      category('a', { children: [category('b', { op: 'delete' })] }),
      [['children[0].op', 'FIELD_UNKNOWN']],
    ],
  ])('with %s is invalid, and its place is named (rule 20)', (_, content, expected) => {
    expect(errorsOf(content)).toEqual(expected);
  });

  it.each<[string, JsonRecord, [string, string | null][], string[][]]>([
    [
      'its own parent',
      category('a', { parentExternalReference: 'a' }),
      [],
      [['parentExternalReference', 'REFERENCE_CYCLE']],
    ],
    [
      'under its own known grandchild',
      category('a', { parentExternalReference: 'c' }),
      [
        ['c', 'b'],
        ['b', 'a'],
        ['a', null],
      ],
      [['parentExternalReference', 'REFERENCE_CYCLE']],
    ],
    [
      'under its own child in the tree',
      category('a', { parentExternalReference: 'b', children: [category('b')] }),
      [],
      [
        ['parentExternalReference', 'REFERENCE_CYCLE'],
        ['children[0].parentExternalReference', 'REFERENCE_CYCLE'],
      ],
    ],
    [
      'moved below what was below it',
      category('a', { parentExternalReference: 'b' }),
      [
        ['a', null],
        ['b', null],
      ],
      [],
    ],
    [
      'twice in the tree',
      category('a', { children: [category('b'), category('c', { children: [category('b')] })] }),
      [],
      [['children[1].children[0].externalReference', 'REFERENCE_AMBIGUOUS']],
    ],
    [
      'in one place and said to be in another',
      category('a', { children: [category('b', { parentExternalReference: 'c' })] }),
      [],
      [['children[0].parentExternalReference', 'REFERENCE_AMBIGUOUS']],
    ],
    [
      'in one place and said to be there',
      category('a', { children: [category('b', { parentExternalReference: 'a' })] }),
      [],
      [],
    ],
  ])('%s (rule 24)', (_, content, parents, expected) => {
    expect(errorsOf(content, { parents: new Map(parents) })).toEqual(expected);
  });

  it('ends its search in a cycle of other categories', () => {
    const parents = new Map([
      ['b', 'c'],
      ['c', 'b'],
    ]);
    expect(errorsOf(category('a', { parentExternalReference: 'b' }), { parents })).toEqual([]);
  });
});
