import { createHash } from 'node:crypto';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { Database } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Inject, Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import type { Config } from '../config.ts';
import { SignInLinkEntity } from './sign-in-link.entity.ts';

/**
 * The link with the secret of `CONSOLE_LINK_SECRET`. It is used once, also if the process is started again with the
 * same secret; a new secret ends the link before it.
 */
@Injectable()
export class SignInLinks implements Startable {
  readonly name = 'sign-in link';

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'console'>,
  ) {}

  async start(): Promise<void> {
    const { linkSecret } = this.config.console;
    const links = this.database.repository(SignInLinkEntity);
    const secretHash = hashOf(linkSecret ?? '');
    await links.delete({ secretHash: Not(secretHash) });
    if (linkSecret === null) return;
    const link = { secretHash, createdAt: new Date(this.clock.now()), usedAt: null };
    await links.createQueryBuilder().insert().values(link).orIgnore().execute();
  }

  async stop(): Promise<void> {}

  /** True if the secret is that of a link that nobody has used; it is used with this call. */
  async use(secret: string): Promise<boolean> {
    if (this.config.console.linkSecret === null) return false;
    const usedAt = new Date(this.clock.now());
    const links = this.database.repository(SignInLinkEntity);
    const { affected } = await links.update({ secretHash: hashOf(secret), usedAt: IsNull() }, { usedAt });
    return affected === 1;
  }
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
