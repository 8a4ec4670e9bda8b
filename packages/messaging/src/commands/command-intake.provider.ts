import type { FactoryProvider } from '@nestjs/common';

import type { Language } from '@gondola/shared/results/reason-codes';

import { BatchIntake } from '../consume/batch-intake.ts';
import { LaneWorkers } from '../lanes/lane-workers.ts';
import { Lanes } from '../lanes/lanes.ts';
import { OutboxRelay } from '../outbox/outbox-relay.ts';
import { Outbox } from '../outbox/outbox.ts';
import { CommandIntake } from './command-intake.ts';
import { Commands } from './commands.ts';

/** `CommandIntake` for an app that provides its `LaneWorkers`. `languages`: of each tenant that is configured. */
export function commandIntakeProvider(languages: ReadonlyMap<string, Language>): FactoryProvider<CommandIntake> {
  return {
    provide: CommandIntake,
    inject: [BatchIntake, Lanes, Commands, Outbox, LaneWorkers, OutboxRelay],
    useFactory: (
      intake: BatchIntake,
      lanes: Lanes,
      commands: Commands,
      outbox: Outbox,
      workers: LaneWorkers,
      relay: OutboxRelay,
    ) => new CommandIntake({ intake, lanes, commands, outbox, workers, relay, languages, now: () => Date.now() }),
  };
}
