import { describe, expect, it } from '@jest/globals';
import { foldersBothWays } from './one-way-folders.ts';

const ORDERS = 'apps/shop/src/orders/order.ts';
const LANES = 'apps/shop/src/lanes/lane.ts';

describe('folders of a workspace', () => {
  it('may import one way', () => {
    const files = new Map([
      [ORDERS, `import { lane } from '../lanes/lane.ts';`],
      [LANES, ''],
    ]);
    expect(foldersBothWays(files)).toEqual([]);
  });

  it('may not import each other, not even a type', () => {
    const files = new Map([
      [ORDERS, `import {\n  lane,\n} from '../lanes/lane.ts';`],
      [LANES, `import type { Order } from '../orders/order.ts';`],
    ]);
    expect(foldersBothWays(files)).toEqual([
      `apps/shop/src/lanes and apps/shop/src/orders import each other: ${LANES}, ${ORDERS}`,
    ]);
  });

  it('may be composed by modules above them, which belong to no side', () => {
    const files = new Map([
      [ORDERS, `import { lane } from '../lanes/lane.ts';`],
      [LANES, ''],
      ['apps/shop/src/lanes.module.ts', `import { order } from './orders/order.ts';`],
      ['apps/shop/src/orders/orders.module.ts', `import { lane } from '../lanes/lane.ts';`],
    ]);
    expect(foldersBothWays(files)).toEqual([]);
  });

  it('may not import each other by a module that stands in one of them', () => {
    const files = new Map([
      [ORDERS, `import { lane } from '../lanes/lane.ts';`],
      ['apps/shop/src/lanes/lanes.module.ts', `import { order } from '../orders/order.ts';`],
    ]);
    expect(foldersBothWays(files)).toHaveLength(1);
  });

  it('are compared with the files that lie in src itself', () => {
    const files = new Map([
      ['apps/shop/src/config.ts', `export { order } from './orders/order.ts';`],
      [ORDERS, `import { config } from '../config.ts';`],
    ]);
    expect(foldersBothWays(files)).toHaveLength(1);
  });
});
