import { QueryParameter } from './request-fields.ts';

export class CountsQuery {
  @QueryParameter('Counts only what is of this tenant')
  readonly tenant?: string;
}
