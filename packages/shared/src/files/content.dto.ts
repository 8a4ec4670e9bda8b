import { Field } from '../schemas/field.decorators.ts';

/** Fields of `content` and `pdf`, exactly one of which is given (contract, "File commands"). */
export class ContentDto {
  @Field({ type: 'identity', about: 'Id from the answer of `POST /uploads`' }) uploadId?: string | null;
  @Field({ type: 'text', minLength: 1, about: 'URL on a host that the tenant allows' }) url?: string | null;
  @Field({ type: 'text', minLength: 1, about: "Path relative to the tenant's folder" }) path?: string | null;
}
