import type { PassedOperation } from '@gondola/service-kit/http/operation';
import type { AppName } from '../operations-apis/app-name.ts';

/** A route of an app that the console passes on. */
export interface PassedRoute extends PassedOperation {
  readonly app: AppName;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As in the app's OpenAPI document. */
  readonly path: string;
}
