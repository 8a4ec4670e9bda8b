import { Open } from '@gondola/service-kit/http/answer-fields';
import { ID_FORM } from '@gondola/service-kit/http/page.dto';
import { PatternParameter, QueryParameter, WholeNumberParameter } from '@gondola/service-kit/http/request-fields';
import { SIGN_IN_METHODS, type ActorMethod } from '../operators/operator.ts';
import type { ActionEntity } from './action.entity.ts';

export const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** Which actions are wanted. */
export class ActionsQuery {
  @QueryParameter('Only actions on this shop')
  readonly tenant?: string;

  @QueryParameter('Only actions on this order, command or entry')
  readonly subject?: string;

  @PatternParameter('Value of `next` from the page before', ID_FORM, 'after is the `next` of the page before it')
  readonly after?: string;

  @WholeNumberParameter('Maximum number of actions', { minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  readonly limit?: string;
}

class ShownAction implements ActionEntity {
  @Open()
  readonly id!: string;

  @Open()
  readonly at!: Date;

  @Open()
  readonly operator!: string;

  @Open({
    enum: [...SIGN_IN_METHODS, 'token'],
    nullable: true,
    description: 'How the operator signed in; token: the command line; null: an earlier version stored it',
  })
  readonly operatorMethod!: ActorMethod | null;

  @Open({ type: String, nullable: true, description: 'The `sub` at the provider of OpenID Connect' })
  readonly operatorSubject!: string | null;

  @Open({ type: String, nullable: true, description: 'Null: an action on all shops' })
  readonly tenant!: string | null;

  @Open({ description: 'Such as release-order' })
  readonly action!: string;

  @Open({ type: String, nullable: true, description: 'The order, command or entry' })
  readonly subject!: string | null;

  @Open({ enum: ['begun', 'done', 'refused', 'failed'], description: 'begun: no answer came yet' })
  readonly outcome!: ActionEntity['outcome'];

  @Open({ type: 'integer', nullable: true, description: 'HTTP status of the answer of the app; null: none' })
  readonly status!: number | null;
}

export class ActionPage {
  @Open({ type: [ShownAction], description: 'The newest first' })
  readonly items!: readonly ActionEntity[];

  @Open({ type: String, nullable: true, description: 'Value of `after` for the next page; null on the last one' })
  readonly next!: string | null;
}
