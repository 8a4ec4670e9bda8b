import type { Json } from './exact-json.ts';

/**
 * The core's refusals, and their error object in notifications (docs/platform.md, "Error object"). This core always
 * answers in problem-details format, so `title`, `detail`, `instance` and `traceId` are always present, and
 * `message` is the raw body of that answer.
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

/** The core's decision, or its refusal. */
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

/** The refusal that a fault requests, whatever the core would decide. */
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
