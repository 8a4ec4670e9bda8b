import { createHash } from 'node:crypto';
import { Database } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import type { Operator, SignedIn } from '../operators/operator.ts';
import { Operators } from '../operators/operators.service.ts';
import { IDLE_MS, isOver, LONGEST_MS, sessionStep } from './session-age.ts';
import { SessionEntity } from './session.entity.ts';

const TOKEN_BYTES = 32;
const MOST_LISTED = 1_000;
export const OLDEST_SESSION = `
  SELECT min(least(created_at + ${LONGEST_MS} * interval '1 millisecond', seen_at + ${IDLE_MS} * interval '1 millisecond'))
    AS due FROM sessions`;
const TOKEN = /^[\w-]{43}$/;

/** A session that counts. */
export interface CountingSession {
  readonly session: SessionEntity;
  readonly operator: Operator;
}

export interface FoundSession extends CountingSession {
  /** Token that replaces the shown one; null: the shown one stays. */
  readonly newToken: string | null;
}

/** Sessions in PostgreSQL. A token is 32 random bytes in base64url, and only its hash is stored. */
@Injectable()
export class Sessions {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly operators: Operators,
  ) {}

  /** Begins a session and returns its token. */
  async open(signedIn: SignedIn, address: string): Promise<string> {
    const { method, name, subject, groups } = signedIn;
    const token = this.#newToken();
    const now = new Date(this.clock.now());
    await this.database.repository(SessionEntity).insert({
      tokenHash: hashOf(token),
      method,
      name,
      subject,
      credential: this.operators.credentialOf(signedIn),
      address,
      groups: [...groups],
      createdAt: now,
      rotatedAt: now,
      seenAt: now,
    });
    return token;
  }

  /** The session of a token; null if there is none, it ended, or its operator or credential is not there any more. */
  async find(token: string): Promise<FoundSession | null> {
    if (!TOKEN.test(token)) return null;
    const hash = hashOf(token);
    const sessions = this.database.repository(SessionEntity);
    const session = await sessions.findOne({ where: [{ tokenHash: hash }, { previousHash: hash }] });
    if (session === null) return null;
    const now = this.clock.now();
    const step = sessionStep(session, { isPrevious: !session.tokenHash.equals(hash), now });
    if (step === 'over') return null;
    const operator = this.#operatorOf(session);
    if (operator === null) return null;
    const seenAt = new Date(now);
    if (step === 'see') await sessions.update({ id: session.id }, { seenAt });
    if (step !== 'rotate') return { session, operator, newToken: null };
    const newToken = this.#newToken();
    const change = { tokenHash: hashOf(newToken), previousHash: hash, rotatedAt: seenAt, seenAt };
    const { affected } = await sessions.update({ id: session.id, tokenHash: hash }, change);
    // Another call with the same token was first: its answer has the new one.
    return { session, operator, newToken: affected === 1 ? newToken : null };
  }

  async close(token: string): Promise<void> {
    const hash = hashOf(token);
    const sessions = this.database.repository(SessionEntity);
    await sessions.delete({ tokenHash: hash });
    await sessions.delete({ previousHash: hash });
  }

  /** Sessions that count, the last used first. */
  async list(): Promise<CountingSession[]> {
    const now = this.clock.now();
    const sessions = await this.database
      .repository(SessionEntity)
      .find({ order: { seenAt: 'DESC', id: 'DESC' }, take: MOST_LISTED });
    return sessions.flatMap((session) => {
      const operator = isOver(session, now) ? null : this.#operatorOf(session);
      return operator === null ? [] : [{ session, operator }];
    });
  }

  /** Ends sessions; those that ended already are no error. */
  async end(ids: readonly string[]): Promise<void> {
    await this.database.repository(SessionEntity).delete({ id: In([...ids]) });
  }

  /** Deletes the sessions that ended. */
  async deleteEnded(): Promise<void> {
    const now = this.clock.now();
    const sessions = this.database.repository(SessionEntity);
    await sessions.delete({ createdAt: LessThan(new Date(now - LONGEST_MS)) });
    await sessions.delete({ seenAt: LessThan(new Date(now - IDLE_MS)) });
  }

  /** Null if what the operator signed in with, or every right, is not there any more. */
  #operatorOf(session: SessionEntity): Operator | null {
    const present = this.operators.credentialOf(session);
    const isSame = present !== null && session.credential !== null && present.equals(session.credential);
    return isSame ? this.operators.operatorOf(session) : null;
  }

  #newToken(): string {
    return Buffer.from(this.randomness.bytes(TOKEN_BYTES)).toString('base64url');
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
