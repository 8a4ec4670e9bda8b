/**
 * `npm run stack -w infra`: one test stack that stays up until Ctrl-C, for whoever runs a workspace's tests again and
 * again.
 */
import { once } from 'node:events';
import { startLocalStack } from '@gondola/local-stack/local-stack';
import { TEST_STACK_VARIABLE } from '@gondola/local-stack/test-stack';
import { endOnLocalStackError } from './local-stack-failure.ts';

const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
const stack = await startLocalStack({ onProgress: (line) => process.stderr.write(`${line}\n`) }).catch(
  endOnLocalStackError,
);
const { kafkaBrokers, databaseUrl } = stack;
process.stdout.write(`export ${TEST_STACK_VARIABLE}='${JSON.stringify({ kafkaBrokers, databaseUrl })}'\n`);
await stopped;
await stack.stop();
