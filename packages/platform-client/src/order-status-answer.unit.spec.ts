import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readOrderStatus } from './order-status-answer.ts';
import { DEFAULT_WIRE_PROFILE } from './wire-profile.ts';

const PATHS = DEFAULT_WIRE_PROFILE.orderStatusPaths;

describe('the answer of GET status', () => {
  it.each([
    ['a bare number', '350', 350],
    ['a bare text of digits', '"350"', 350],
    ['a bare name', '"ORDER_INVOICED"', 350],
    ['a name without quotes', 'ORDER_BEING_PREPARED\n', 400],
    ['status', '{"orderNumber":7,"status":400}', 400],
    ['status as a name', '{"status":"SHIPPED"}', 600],
    ['code', '{"code":"700"}', 700],
    ['data.status', '{"success":true,"data":{"status":350}}', 350],
    ['the first that holds a status', '{"status":"ok","code":0,"data":{"status":800}}', 800],
    ['status before code', '{"code":500,"status":400}', 400],
    ['a code the document does not name', '{"status":425}', 425],
  ])('is read from %s', (_, body, expected) => {
    expect(readOrderStatus(body, PATHS)).toBe(expected);
  });

  it.each([
    ['nothing', ''],
    ['a page', '<html>350</html>'],
    ['null', 'null'],
    ['a list', '[350]'],
    ['a fraction', '3.5'],
    ['a negative', '{"status":-1}'],
    ['zero', '0'],
    ['an unknown name', '"IN_THE_CART"'],
    ['an object elsewhere', '{"order":{"status":350}}'],
    ['data null', '{"data":null}'],
    ['an endless number', '{"status":99999999999999999999}'],
    ['inherited names', '{"data":"text"}'],
  ])('is not guessed from %s', (_, body) => {
    expect(readOrderStatus(body, PATHS)).toBeUndefined();
  });

  it('is looked for where the tenant says, and nowhere else', () => {
    expect(readOrderStatus('{"status":1,"order":{"state":{"id":400}}}', ['order.state.id'])).toBe(400);
    expect(readOrderStatus('{"status":400}', ['order.state.id'])).toBeUndefined();
    expect(readOrderStatus('{"constructor":{}}', ['constructor.length', '__proto__.x'])).toBeUndefined();
  });

  it('any body gives a positive integer or undefined, never an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        const status = readOrderStatus(body, PATHS);
        expect(status === undefined || (Number.isSafeInteger(status) && status > 0)).toBe(true);
      }),
    );
  });
});
