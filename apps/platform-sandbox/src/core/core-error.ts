import type { Json } from '../values/exact-json.ts';

/**
 * The core's refusals, and the error object that a notification carries for one (docs/platform.md, "Error object").
 * This core always answers in problem-details format, so `title`, `detail`, `instance` and `traceId` are always there,
 * and `message` is that answer's raw body.
 */

/** One rejected property, by the core's property name (`Name`, `EAN`, `Slug` …). */
export interface Violation {
  readonly key: string;
  readonly validation: string;
}

export interface CoreRefusal {
  readonly statusCode: number;
  readonly detail: string;
  readonly violations: readonly Violation[];
}

/** What the core decided, or why it refuses. */
export type OrRefused<T> = T | { readonly kind: 'refused'; readonly refusal: CoreRefusal };

export interface RefusalContext {
  readonly instance: string;
  readonly traceId: string;
}

export type ErrorObject = {
  readonly statusCode: number;
  readonly message: string;
  readonly title: string;
  readonly detail: string;
  readonly instance: string;
  readonly traceId: string;
  readonly validationErrors: readonly { readonly id: number; readonly key: string; readonly validation: string }[];
};

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  409: 'Conflict',
  422: 'Unprocessable Entity',
};

export function invalid(violations: readonly Violation[]): CoreRefusal {
  return { statusCode: 400, detail: 'One or more validation errors occurred.', violations };
}

/** What a fault asked for, whatever the core would have decided. */
export function refusedOnDemand({ refuseStatus }: { readonly refuseStatus?: number }): CoreRefusal | undefined {
  return refuseStatus === undefined
    ? undefined
    : { statusCode: refuseStatus, detail: 'Refused on demand.', violations: [] };
}

export function errorObject(refusal: CoreRefusal, { instance, traceId }: RefusalContext): ErrorObject {
  const { statusCode, detail } = refusal;
  const title = TITLES[statusCode] ?? 'Refused';
  const validationErrors = refusal.violations.map(({ key, validation }, index) => ({ id: index + 1, key, validation }));
  const problem: Json = { title, status: statusCode, detail, instance, traceId, errors: validationErrors };
  return { statusCode, message: JSON.stringify(problem), title, detail, instance, traceId, validationErrors };
}
