import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { UnsweptRows } from '@gondola/service-kit/run/unswept-rows';
import { RepeatingTask, SWEEP_MS } from '@gondola/service-kit/run/repeating-task';
import { Inject, Injectable } from '@nestjs/common';
import { ActionsRepository, OLDEST_ACTION } from '../actions/actions.repository.ts';
import { OLDEST_SESSION, Sessions } from '../sessions/sessions.service.ts';

/** Deletes ended sessions and old actions every hour. */
@Injectable()
export class ForgetOld extends RepeatingTask {
  constructor(sessions: Sessions, actions: ActionsRepository, unswept: UnsweptRows, @Inject(LOGGER) logger: Logger) {
    const run = async () => {
      await sessions.deleteEnded();
      await actions.deleteOld();
    };
    super({ name: 'retention', everyMs: SWEEP_MS, run, logger });
    unswept.watch('sessions', OLDEST_SESSION);
    unswept.watch('actions', OLDEST_ACTION);
  }
}
