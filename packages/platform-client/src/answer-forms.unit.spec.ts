import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { anyCharacter } from '@gondola/shared/testing/any-character';
import { acceptedOperation, type AnswerForm, isPage, objectAbout, reportsFailure } from './answer-forms.ts';
import type { ReceivedBody } from './exchange.ts';

const GUID = '2f6d5b0e-9a53-4c6b-8f0e-6d0a4b1c2d3e';
const text = (value: string): ReceivedBody => ({ kind: 'text', text: value });
const FORMS: readonly AnswerForm[] = ['operationId', 'transactionId', 'not-shown'];

describe('a 2xx to a change', () => {
  it.each<[string, string]>([
    ['nothing', ''],
    ['blanks', ' \n'],
    ['an empty object', '{}'],
    ['null', 'null'],
    ['an object of its own', '{"orderNumber":7,"status":500}'],
    ['a wrapper', '{"success":true,"error":null,"errors":[],"code":0}'],
  ])('with %s is an answer only where the document shows none', (_, body) => {
    expect(acceptedOperation(text(body), 'not-shown')).toBeNull();
    expect(acceptedOperation(text(body), 'operationId')).toBeUndefined();
    expect(acceptedOperation(text(body), 'transactionId')).toBeUndefined();
  });

  it.each<[string, string]>([
    ['a page', '<!DOCTYPE html><html><body>Voltamos logo</body></html>'],
    ['a page behind blanks', '\r\n  <html>'],
    ['a text of a proxy', 'no healthy upstream'],
    ['half a JSON', '{"operationId":"2f6d5b0e'],
    ['an error', '{"error":"indisponível"}'],
    ['a list of errors', '{"errors":[{"message":"x"}]}'],
    ['a failure', '{"success":false}'],
    ['a status in words', '{"status":"error"}'],
    ['problem details', '{"type":"about:blank","title":"Service Unavailable","status":503}'],
    ['the error of a framework', '{"statusCode":502,"message":"Bad gateway"}'],
    ['an error in a list', '[{"error":{"code":1}}]'],
  ])('with %s is an answer of no route (rule 16)', (_, body) => {
    for (const form of FORMS) expect(acceptedOperation(text(body), form)).toBeUndefined();
  });

  it('names an operation only by a GUID that the body has, at the place of its route', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.json()), fc.constantFrom(...FORMS), (body, form) => {
        const operation = acceptedOperation(text(body), form);
        expect(operation === undefined || (form === 'not-shown' && operation === null)).toBe(true);
      }),
    );
    expect(acceptedOperation(text(JSON.stringify({ operationId: GUID })), 'operationId')).toBe(GUID);
    expect(acceptedOperation(text(JSON.stringify({ operationId: GUID })), 'not-shown')).toBe(GUID);
    expect(acceptedOperation(text(JSON.stringify({ data: { operationId: GUID } })), 'operationId')).toBeUndefined();
  });
});

describe('an object that is read', () => {
  it.each([
    ['its own number', '{"number":100007}', true],
    ['its digits as text', '{"number":" 100007 "}', true],
    ['another number', '{"number":100008}', false],
    ['no number', '{"status":500,"title":"Internal Server Error"}', false],
    ['nothing', '{}', false],
    ['a list of it', '[{"number":100007}]', false],
    ['an object as number', '{"number":{"100007":1}}', false],
    ['an inherited number', '{"__proto__":{"number":100007}}', false],
  ])('by %s is the one that was asked for, or is none', (_, body, isIt) => {
    expect(objectAbout(body, 'number', '100007')).toBe(isIt ? body : undefined);
  });

  it('may have its reference in another case and a number of many digits', () => {
    expect(objectAbout('{"externalReference":"abc-1 "}', 'externalReference', 'ABC-1')).toBeDefined();
    const digits = '12345678901234567890123';
    expect(objectAbout(`{"number":${digits}}`, 'number', digits)).toBeDefined();
  });
});

describe('a failure within JSON', () => {
  it.each([
    [{ status: 500 }, false],
    [{ status: 500, message: null }, false],
    [{ status: 500, message: 'boom' }, true],
    [{ status: '503', title: 'Service Unavailable' }, true],
    [{ status: 700, message: 'ok' }, false],
    [{ success: true, data: { status: 350 } }, false],
    [{ validationErrors: [] }, false],
    [{ validationErrors: [{ id: 1 }] }, true],
    [{ error: 0 }, false],
    [{ error: {} }, false],
    [{ error: '' }, false],
    [[], false],
    [['error'], false],
  ])('is told from an answer: %j', (value, isFailure) => {
    expect(reportsFailure(value)).toBe(isFailure);
  });
});

describe('a page', () => {
  it.each([
    ['<html>', undefined, true],
    ['Voltamos logo', 'text/html; charset=utf-8', true],
    ['{}', 'application/json', false],
    ['{}', 'text/plain', false],
    ['', undefined, false],
  ])('is told by its first character or its media type: %j, %s', (body, contentType, isOne) => {
    expect(isPage(body, contentType)).toBe(isOne);
  });
});
