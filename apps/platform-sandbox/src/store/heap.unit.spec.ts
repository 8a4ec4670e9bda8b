import { expect, it } from '@jest/globals';
import { Heap } from './heap.ts';

it('a heap returns its entries in order, however they were added', () => {
  const heap = new Heap<number>((one, other) => one - other);
  const numbers = Array.from({ length: 500 }, (_, n) => (n * 7_919) % 503);
  for (const number of numbers) heap.push(number);
  expect(heap.first).toBe(Math.min(...numbers));
  const popped = numbers.map(() => heap.pop());
  expect(popped).toEqual(numbers.toSorted((one, other) => one - other));
  expect(heap.pop()).toBeUndefined();
});
