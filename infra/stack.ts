/**
 * `npm run stack -w infra`: a test stack that runs until Ctrl-C, for developers who run a workspace's tests
 * repeatedly.
 */
import { once } from 'node:events';
import { startLocalStack, USUAL_PORTS } from '@gondola/local-stack/local-stack';
import { TEST_STACK_VARIABLE } from '@gondola/local-stack/test-stack';
import { endOnLocalStackError } from './local-stack-failure.ts';

const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
const stack = await startLocalStack({
  usualPorts: USUAL_PORTS,
  onProgress: (line) => process.stderr.write(`${line}\n`),
}).catch(endOnLocalStackError);
const { kafkaBrokers, databaseUrl } = stack;
process.stdout.write(`export ${TEST_STACK_VARIABLE}='${JSON.stringify({ kafkaBrokers, databaseUrl })}'\n`);
await stopped;
await stack.stop();
