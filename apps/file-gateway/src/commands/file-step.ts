import type { OpenCommand } from '@gondola/lanes/commands/commands';
import type { StepOutcome } from '@gondola/lanes/commands/step-outcome';
import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { type AttemptProgress, operationIdsOf } from '@gondola/shared/commands/attempts';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import type { AwaitedReference } from '@gondola/shared/results/result';
import type { HeldImage } from '../uploads/held-content.ts';
import type { AppliedImages } from '../platform/applied-images.ts';
import type { CallOptions } from '../platform/platform.adapter.ts';

/** A lane's oldest open command, which is processed in this step. */
export interface LaneWork {
  readonly lane: ClaimedLane;
  readonly command: OpenCommand;
  readonly tenant: Pick<TenantConfig, 'language' | 'deadlines'>;
  /** Options for the calls of this step. */
  readonly call: CallOptions;
}

/** Findings of a step, stored beside the command's outcome. */
export interface FileKnowledge {
  /** Operations that the platform named for the command. */
  readonly operationIds: readonly string[];
  /** Uploads that the command held and no longer uses. */
  readonly release?: readonly string[];
  /** New state of the SKU's known images, if it changed. */
  readonly images?: { readonly skuExternalReference: string; readonly applied: AppliedImages };
  /** Images that a `PublishSkuImages` uploaded. */
  readonly upload?: {
    readonly externalReference: string;
    readonly images: readonly HeldImage[];
    readonly urls: readonly string[];
  };
  /** New state of the order's invoice file, if it changed; null: its content is no longer known. */
  readonly invoice?: { readonly orderId: string; readonly sha256: string | null };
}

/** Result of one step of a command. */
export interface FileStep {
  readonly outcome: StepOutcome;
  readonly dueInMs: number;
  readonly knowledge: FileKnowledge;
}

const NOTHING_KNOWN: FileKnowledge = { operationIds: [] };

export function waits(progress: AttemptProgress, dueInMs: number, awaits?: readonly AwaitedReference[]): FileStep {
  const wait = { kind: 'wait', progress: JSON.stringify(progress) } as const;
  return {
    outcome: awaits === undefined ? wait : { ...wait, awaits: { for: awaits, count: 1 } },
    dueInMs,
    knowledge: { operationIds: operationIdsOf(progress) },
  };
}

/** Step after a call: its answer is stored, and the next step decides. */
export function called(progress: AttemptProgress): FileStep {
  return waits(progress, 0);
}

/** Step whose call cannot have reached the platform's queue; `progress` no longer holds the attempt. */
export function takenBack(progress: AttemptProgress, pauseMs: number): FileStep {
  const { outcome, ...step } = waits(progress, pauseMs);
  return { ...step, outcome: { ...outcome, attempt: { kind: 'taken-back' } } as StepOutcome };
}

/** Concludes a command that sent something or may have. */
export function concluded(
  { attempts }: Pick<AttemptProgress, 'attempts'>,
  conclusion: Conclusion,
  knowledge: Omit<FileKnowledge, 'operationIds'>,
): FileStep {
  const operationIds = operationIdsOf({ attempts });
  const outcome = { kind: 'concluded', conclusion, operationIds, attempts: attempts.length } as const;
  return { outcome, dueInMs: 0, knowledge: { ...knowledge, operationIds } };
}

/** Concludes a command that held and sent nothing, or that only reads. */
export function concludedUnsent(conclusion: Conclusion): FileStep {
  const outcome = { kind: 'concluded', conclusion, operationIds: [], attempts: 0 } as const;
  return { outcome, dueInMs: 0, knowledge: NOTHING_KNOWN };
}

/** Another worker holds the lane by now, so nothing is saved here. */
export const LOST_LANE: FileStep = {
  outcome: { kind: 'wait', progress: null },
  dueInMs: 0,
  knowledge: NOTHING_KNOWN,
};
