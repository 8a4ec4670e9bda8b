import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { Must } from '@gondola/service-kit/http/request-fields';
import { SIGN_IN_METHODS, type SignInMethod } from '../operators/operator.ts';
import type { ListedSession } from './list-sessions.service.ts';

class ShownListedSession implements ListedSession {
  @Open()
  readonly id!: string;

  @Open()
  readonly operator!: string;

  @Open({ enum: SIGN_IN_METHODS })
  readonly method!: SignInMethod;

  @Open({ type: String, nullable: true, description: 'The `sub` at the provider of OpenID Connect' })
  readonly subject!: string | null;

  @Open()
  readonly createdAt!: Date;

  @Open()
  readonly seenAt!: Date;

  @Open({ type: String, nullable: true })
  readonly address!: string | null;
}

/** Sessions for the page. */
export class SessionList {
  @Open({ type: [ShownListedSession], description: 'The last used first' })
  readonly items!: readonly ListedSession[];

  @Open({ description: 'Id of the session that asks' })
  readonly present!: string;

  @Open({ description: 'True if the sessions of others are among them' })
  readonly everybody!: boolean;
}

/** Sessions for the command line. */
export class SessionEntries {
  @Open({ type: [ShownListedSession], description: 'The last used first' })
  readonly entries!: readonly ListedSession[];
}

export class SessionEnding {
  @ApiPropertyOptional({ type: Boolean, default: false, description: 'Every session of the same operator' })
  @Must((all) => typeof all === 'boolean', 'all is true or false')
  readonly all: boolean = false;
}

export class EndedSessions {
  @Open({ type: 'integer', description: 'Number of sessions' })
  readonly ended!: number;
}
