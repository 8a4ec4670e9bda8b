import { type BenchApp, cpuSeconds, listen, startBenchApp } from './bench-app.ts';
import { contestBench } from './bench.ts';
import { deliver, truncateInbox } from './ingest.bench.ts';

const REQUESTS = 10_000;
const ROUNDS = 9;

/**
 * Cost of traces where records are most frequent: deliveries to webhook-ingest, which publishes them at the same time,
 * without traces, with those of one delivery in a hundred, and with all. The processor's time is compared, which other
 * load on the machine changes least.
 */
export const tracesBench = contestBench(
  'traces',
  async (servers) => {
    const running: BenchApp[] = [];
    const collector = await listen((request, response) => {
      request.resume();
      response.writeHead(200).end();
    });
    const candidate = async (name: string, schema: string, env: Record<string, string>) => {
      const options = { app: 'webhook-ingest', env: { DATABASE_SCHEMA: schema, ...env } };
      const app = await startBenchApp(servers, options);
      running.push(app);
      const run = async (): Promise<number> => {
        const before = await cpuSeconds(app);
        await deliver(app.url, REQUESTS);
        const used = (await cpuSeconds(app)) - before;
        await truncateInbox(servers.databaseUrl, schema);
        return REQUESTS / used;
      };
      return { name, run };
    };
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const hundredth = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' };
    const off = await candidate('without traces', 'off', {});
    const some = await candidate('with traces of 1 %', 'some', { ...endpoint, ...hundredth });
    const all = await candidate('with all traces', 'all', endpoint);
    return {
      name: 'deliveries of 6 kB to webhook-ingest, relaying too',
      unit: 'requests for a second of the processor',
      candidates: [off, some, all],
      checks: [{ of: some, to: off, target: 0.95, atLeast: 0.9 }],
      close: async () => {
        await Promise.all(running.map((app) => app.stop()));
        await collector.close();
      },
    };
  },
  ROUNDS,
);
