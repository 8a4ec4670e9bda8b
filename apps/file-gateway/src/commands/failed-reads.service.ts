import type { Refused, Unavailable } from '@gondola/platform-client/answers';
import { Clock } from '@gondola/service-kit/run/clock';
import { refused } from '@gondola/shared/results/conclusion';
import { Injectable } from '@nestjs/common';
import { type FileStep, concludedUnsent, type LaneWork } from './file-step.ts';
import { afterFailedRead, hasFailedFor, readProgressFromText } from '../platform/read-progress.ts';

/** Step of a read-only command whose reading failed. */
@Injectable()
export class FailedReads {
  constructor(private readonly clock: Clock) {}

  /**
   * A 4xx is the platform's refusal and is not repeated (rule 17); other failures are repeated until the deadline, so
   * that a reading in vain does not hold back the changes behind it. Nothing was sent, so it never is unconfirmed.
   */
  step({ command, tenant }: LaneWork, failed: Refused | Unavailable): FileStep {
    if (failed.kind === 'refused') {
      const platform = { statusCode: failed.status, message: failed.message };
      return concludedUnsent(refused(tenant.language, { evidence: 'none', platform }));
    }
    const nowMs = this.clock.now();
    const next = afterFailedRead(readProgressFromText(command.progress), failed, nowMs);
    if (hasFailedFor(next.progress, tenant.deadlines.commandMs, nowMs)) {
      const code = 'PLATFORM_UNREADABLE';
      return concludedUnsent(refused(tenant.language, { evidence: 'none', platform: null, code }));
    }
    const outcome = { kind: 'wait', progress: JSON.stringify(next.progress) } as const;
    return { outcome, dueInMs: next.ms, knowledge: { operationIds: [] } };
  }
}
