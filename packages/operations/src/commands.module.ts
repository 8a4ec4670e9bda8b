import { type DynamicModule, Module } from '@nestjs/common';

import { PlatformCallReport } from '@gondola/service-kit/platform/platform-call-report';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import { ShadowCalls } from '@gondola/service-kit/platform/shadow-calls';
import { Starts } from '@gondola/service-kit/run/startable';

import { PausesController } from './pauses/pauses.controller.ts';
import { PlatformPauses } from '@gondola/lanes/pauses/platform-pauses';
import { LanesToday } from './today/lanes-today.ts';
import { ShadowController } from './shadow/shadow.controller.ts';
import { TodayController, TodaySource } from './today/today.controller.ts';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { Attempts } from '@gondola/lanes/commands/attempts';
import { CommandIntake } from '@gondola/lanes/commands/command-intake';
import { COMMAND_REPORT, CommandReport, type CommandReportOptions } from '@gondola/lanes/commands/command-report';
import { CommandSweep } from '@gondola/lanes/commands/command-sweep';
import { StepSaver } from '@gondola/lanes/commands/step-saver';
import { EndLeftOut } from '@gondola/lanes/shadow/end-left-out';
import { JudgeShadowCalls } from '@gondola/lanes/shadow/judge-shadow-calls';
import { ShadowCallSweep, StoredShadowCalls } from '@gondola/lanes/shadow/stored-shadow-calls';

/** Providers for the app's features. */
const PROVIDED = [
  PlatformCallReport,
  PlatformClients,
  PlatformPauses,
  LaneWorkers,
  CommandIntake,
  Attempts,
  StepSaver,
  CommandReport,
  CommandSweep,
  StoredShadowCalls,
  ShadowCallSweep,
  JudgeShadowCalls,
  EndLeftOut,
];

/**
 * The life of a command, for an app that carries out commands at the platform: `CommandIntake` → lanes → the app's
 * steps, with `Attempts` → `StepSaver`; `CommandSweep` in the end. Requires `MessagingModule`, and tenants with a
 * platform. The app adds its steps to `LaneWorkers` when its modules are initialised.
 */
@Starts(PlatformClients, LaneWorkers, PlatformPauses, CommandSweep, ShadowCallSweep, JudgeShadowCalls, EndLeftOut)
@Module({})
export class CommandsModule {
  /** `report` names the app's counter of results. */
  static register<L extends string>(report: CommandReportOptions<L>): DynamicModule {
    return {
      module: CommandsModule,
      global: true,
      controllers: [TodayController, PausesController, ShadowController],
      providers: [
        { provide: COMMAND_REPORT, useValue: report },
        { provide: TodaySource, useClass: LanesToday },
        { provide: ShadowCalls, useExisting: StoredShadowCalls },
        ...PROVIDED,
      ],
      exports: PROVIDED,
    };
  }
}
