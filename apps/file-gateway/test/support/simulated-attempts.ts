import { Attempts } from '@gondola/lanes/commands/attempts';
import type { Commands } from '@gondola/lanes/commands/commands';
import type { Lanes } from '@gondola/lanes/lanes/lanes';
import { UploadAttempts } from '../../src/commands/upload-attempts.service.ts';
import { standIn } from './stand-in.ts';

type Failures = ConstructorParameters<typeof UploadAttempts>[0];

export interface SimulatedWriting {
  readonly nowMs: () => number;
  readonly failures: Failures['ofCommand'];
  /** True if the process ends between the next call and the storing of its answer. */
  readonly endsProcess: () => boolean;
  /** An attempt is written down, with its deadline if it is the first. */
  readonly onAttempt: (deadlineMs: number) => void;
  /** Progress that the next process finds. */
  readonly onEnd: (progress: string) => void;
}

/** Attempts without a database: each is written down before its call; if the process ends, nothing else is found. */
export function simulatedAttempts(writing: SimulatedWriting): UploadAttempts {
  const real = new Attempts(
    standIn<Lanes>({ check: async (lanes) => ({ held: [...lanes], woken: new Set() }) }),
    standIn<Commands>({ besideLanes: () => standIn({}) }),
    { fraction: () => 0 },
  );
  const attempts = standIn<Attempts>({
    make: async (attempted, options) => {
      writing.onAttempt(options.deadlineMs);
      const isLast = writing.endsProcess();
      const made = await real.make(attempted, options);
      if (!isLast) return made;
      writing.onEnd(JSON.stringify(attempted[0]!.progress));
      return { made: [], heldBack: [] };
    },
  });
  const failures = standIn<Failures>({ ofCommand: writing.failures });
  const consumed = { upTo: writing.nowMs, ask: () => 1_000 };
  return new UploadAttempts(failures, consumed, attempts, { now: writing.nowMs });
}

/** True if a stored progress has attempts: without one, no deadline runs. */
export function hasAttempts(progress: string | null): boolean {
  const { attempts = [] } = JSON.parse(progress ?? '{}') as { attempts?: readonly unknown[] };
  return attempts.length > 0;
}
