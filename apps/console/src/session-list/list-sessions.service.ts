import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Inject, Injectable } from '@nestjs/common';
import { ActionsRepository } from '../actions/actions.repository.ts';
import { type Actor, mayEverywhere, type SignInMethod } from '../operators/operator.ts';
import { Operators } from '../operators/operators.service.ts';
import { type CountingSession, Sessions } from '../sessions/sessions.service.ts';

export interface ListedSession {
  readonly id: string;
  readonly operator: string;
  readonly method: SignInMethod;
  /** The operator's `sub` at the provider of OpenID Connect. */
  readonly subject: string | null;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly address: string | null;
}

/** The session that asks; null: the command line, which has the operations token. */
export type Asker = CountingSession | null;

const TOKEN_ACTOR: Actor = { name: 'OPERATIONS_TOKEN', method: 'token', subject: null };
const LONGEST_SUBJECT = 300;

/** Lists and ends sessions: the own ones, or everybody's for who may act on every shop. */
@Injectable()
export class ListSessions {
  constructor(
    private readonly sessions: Sessions,
    private readonly actions: ActionsRepository,
    private readonly operators: Operators,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** True if the sessions of others are shown, too. */
  seesAll(asker: Asker): boolean {
    return asker === null || mayEverywhere(asker.operator, 'act', this.operators.tenants);
  }

  /** The last used first. */
  async list(asker: Asker): Promise<ListedSession[]> {
    return (await this.#visibleTo(asker)).map(({ session, operator }) => ({
      id: session.id,
      operator: operator.name,
      method: session.method,
      subject: session.subject,
      createdAt: session.createdAt,
      seenAt: session.seenAt,
      address: session.address,
    }));
  }

  /**
   * Ends a session, or all of the same operator, and returns the number of those; 0 if the asker sees no such session.
   * It is stored as an action before it is done.
   */
  async end(asker: Asker, id: string, { all }: { readonly all: boolean }): Promise<number> {
    const visible = await this.#visibleTo(asker);
    const chosen = visible.find(({ session }) => session.id === id);
    if (chosen === undefined) return 0;
    const ended = all ? visible.filter((each) => isSameOperator(each, chosen)) : [chosen];
    const { name, subject } = chosen.operator;
    const action = await this.actions.begin({
      operator: asker?.operator ?? TOKEN_ACTOR,
      tenant: null,
      action: all ? 'end-sessions' : 'end-session',
      subject: [name, ...(subject === null ? [] : [subject])].join(' ').slice(0, LONGEST_SUBJECT),
    });
    let status: number | null = null;
    try {
      await this.sessions.end(ended.map(({ session }) => session.id));
      status = 204;
    } finally {
      await this.actions.complete(action, status).catch((err: unknown) => {
        this.logger.error({ err }, 'The outcome of an action could not be stored');
      });
    }
    return ended.length;
  }

  async #visibleTo(asker: Asker): Promise<CountingSession[]> {
    const all = await this.sessions.list();
    return asker === null || this.seesAll(asker) ? all : all.filter((each) => isSameOperator(each, asker));
  }
}

/** The credential is of one operator, and the sessions that count have the present one. */
function isSameOperator({ session: one }: CountingSession, { session: other }: CountingSession): boolean {
  return one.credential !== null && other.credential !== null && one.credential.equals(other.credential);
}
