import type { Refused, Unavailable } from '@gondola/platform-client/answers';
import { Clock } from '@gondola/service-kit/run/clock';
import { refused, unconfirmed } from '@gondola/shared/results/conclusion';
import { Injectable } from '@nestjs/common';
import { type CommandTurn, concludedUnsent, type LaneWork } from './command-turn.ts';
import { afterFailedRead, readProgressFromText } from '../platform/read-progress.ts';

/** Turn of a read-only command whose reading failed. */
@Injectable()
export class FailedReads {
  constructor(private readonly clock: Clock) {}

  /**
   * A 4xx is the platform's refusal and is not repeated (rule 17); other failures are repeated until the deadline.
   */
  turn({ command, tenant }: LaneWork, failed: Refused | Unavailable): CommandTurn {
    if (failed.kind === 'refused') {
      const platform = { statusCode: failed.status, message: failed.message };
      return concludedUnsent(refused(tenant.language, { evidence: 'none', platform }));
    }
    const limits = { nowMs: this.clock.now(), deadlineMs: tenant.deadlines.commandMs };
    const next = afterFailedRead(readProgressFromText(command.progress), failed, limits);
    if (next.kind === 'silent') return concludedUnsent(unconfirmed(tenant.language));
    const outcome = { kind: 'wait', progress: JSON.stringify(next.progress) } as const;
    return { outcome, dueInMs: next.ms, knowledge: { operationIds: [] } };
  }
}
