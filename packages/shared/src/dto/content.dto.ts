import { Field } from './field.decorators.ts';

/** The fields of `content` and `pdf`, of which exactly one is given (contract, "File commands"). */
export class ContentDto {
  @Field({ type: 'identity', about: 'Of the answer of `POST /uploads`' }) uploadId?: string | null;
  @Field({ type: 'text', minLength: 1, about: 'An address that the tenant allows' }) url?: string | null;
  @Field({ type: 'text', minLength: 1, about: "Relative to the tenant's folder" }) path?: string | null;
}
