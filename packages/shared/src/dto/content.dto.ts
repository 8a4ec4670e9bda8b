import { Field } from './field.decorators.ts';

/** The fields of `content` and `pdf`, of which exactly one is given (contract, "File commands"). */
export class ContentDto {
  @Field({ type: 'identity' }) uploadId?: string | null;
  @Field({ type: 'text', minLength: 1 }) url?: string | null;
  @Field({ type: 'text', minLength: 1 }) path?: string | null;
}
