import { BatchIntake } from '@gondola/messaging/consume/batch-intake';
import { Lanes } from '@gondola/messaging/lanes/lanes';
import { OutboxRelay } from '@gondola/messaging/outbox/outbox-relay';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { createApp } from '@gondola/service-kit/run/create-app';
import { appOptions } from '../../src/app.module.ts';
import { APP, loadConfig } from '../../src/config.ts';
import { LoadOrderLanes } from '../../src/lanes/load-order-lanes.service.ts';
import { SaveOrderLanes } from '../../src/lanes/save-order-lanes.service.ts';

/** Calls of a phase since the last report, and the sum of their milliseconds; calls may overlap. */
type Phases = Record<string, { calls: number; ms: number }>;

/**
 * The whole app in this process, with the environment that `npm run bench -- order-events order-commands` gives as the
 * first argument. It says when it is ready, and answers each message with what its phases and its processor took since
 * the one before.
 */
await serve(JSON.parse(process.argv[2] ?? '') as Record<string, string>);

async function serve(env: Record<string, string>): Promise<void> {
  const running = await createApp(appOptions(loadConfig(env), createLogger({ app: APP, level: 'error' })));
  let phases: Phases = {};
  const add = (name: string, ms: number): void => {
    const phase = (phases[name] ??= { calls: 0, ms: 0 });
    phase.calls += 1;
    phase.ms += ms;
  };
  const of = <T>(token: new (...dependencies: never[]) => T): T => running.app.get<T>(token, { strict: false });
  const plannedFrom = new Map<string, number>();

  const intake = of(BatchIntake);
  const store = intake.store.bind(intake);
  intake.store = (batch, decode, insert) => timed('consume, store', () => store(batch, decode, insert))();
  const lanes = of(Lanes);
  lanes.claim = timed('claim', lanes.claim.bind(lanes));
  const loading = of(LoadOrderLanes);
  const load = timed('load', loading.load.bind(loading));
  loading.load = async (claimed) => {
    const loaded = await load(claimed);
    if (claimed[0] !== undefined) plannedFrom.set(claimed[0].id, performance.now());
    return loaded;
  };
  const saving = of(SaveOrderLanes);
  const save = timed('save', saving.save.bind(saving));
  saving.save = async (planned) => {
    const id = planned[0]?.loaded.lane.id;
    const from = id === undefined ? undefined : plannedFrom.get(id);
    if (from !== undefined) add('plan', performance.now() - from);
    await save(planned);
  };
  const { source } = of(OutboxRelay);
  source.advance = timed('relay: mark, fetch', source.advance.bind(source));

  function timed<A extends unknown[], R>(name: string, work: (...given: A) => Promise<R>): (...given: A) => Promise<R> {
    return async (...given) => {
      const startedAt = performance.now();
      try {
        return await work(...given);
      } finally {
        add(name, performance.now() - startedAt);
      }
    };
  }

  let cpu = process.cpuUsage();
  process.on('message', () => {
    const { user, system } = process.cpuUsage(cpu);
    process.send?.({ phases, cpuMs: (user + system) / 1_000 });
    [phases, cpu] = [{}, process.cpuUsage()];
  });
  process.on('disconnect', () => void running.stop().then(() => process.exit(0)));
  await running.start();
  process.send?.('ready');
}
