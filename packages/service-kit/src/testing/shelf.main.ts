import { configGroup, readConfig } from '../config/config.ts';
import { databaseShape, httpShape, logShape, oneOf, wholeNumber } from '../config/config-shapes.ts';
import { Database } from '../database/database.ts';
import { createLogger } from '../logging/logger.ts';
import { runApp } from '../run/run-app.ts';
import type { Startable } from '../run/startable.ts';
import { failing, part, ShelfModule } from './shelf-app.ts';
import { CreateShelves1700000000000 } from './shelf-migration.ts';

const BEHAVIOURS = ['well', 'stuck', 'away', 'wrong', 'wrong-later', 'wrong-later-stuck', 'crash'] as const;

const wrong = () => Promise.reject(new Error('wrong password of cliente@example.com'));
const crash = async () => void setImmediate(() => void Promise.reject(new Error('nobody caught this')));

function behaving(behaviour: (typeof BEHAVIOURS)[number]): Startable {
  switch (behaviour) {
    case 'stuck':
      return { ...part('second', []), stop: () => new Promise(() => setInterval(() => {}, 1_000)) };
    case 'away':
      return part('second', [], failing(1_000));
    case 'wrong':
      return part('second', [], wrong);
    case 'wrong-later':
      return { ...part('second', [], wrong), background: true };
    case 'wrong-later-stuck':
      return { ...behaving('stuck'), start: wrong, background: true };
    case 'crash':
      return part('second', [], crash);
    default:
      return part('second', []);
  }
}

// A whole app, like a `main.ts`, with a startable whose behaviour the test chooses.
await runApp(() => {
  const config = readConfig(
    {
      http: httpShape(0),
      log: logShape,
      database: databaseShape('shelf-keeper'),
      shelf: configGroup(
        { BEHAVIOUR: oneOf(BEHAVIOURS, 'well'), SHUTDOWN_MS: wholeNumber({ min: 1, max: 200_000, default: 200_000 }) },
        (env) => ({ behaviour: env.BEHAVIOUR, shutdownMs: env.SHUTDOWN_MS }),
      ),
    },
    process.env,
  );
  const logger = createLogger({ app: 'shelf-keeper', level: config.log.level });
  return {
    name: 'shelf-keeper',
    module: ShelfModule,
    config,
    logger,
    database: new Database({ ...config.database, migrations: [CreateShelves1700000000000], logger }),
    startables: () => [part('first', []), behaving(config.shelf.behaviour)],
    timings: { shutdownMs: config.shelf.shutdownMs, retryFirstMs: 60_000, retryMostMs: 60_000 },
  };
});
