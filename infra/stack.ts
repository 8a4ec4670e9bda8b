/** `npm run stack -w infra`: one test stack that stays up until Ctrl-C, for whoever runs a workspace's tests again and again. */
import { once } from 'node:events';
import { startLocalStack } from '@gondola/local-stack/local-stack';
import { TEST_STACK_VARIABLE } from '@gondola/local-stack/test-stack';

const stack = await startLocalStack();
const { kafkaBrokers, databaseUrl } = stack;
process.stdout.write(`export ${TEST_STACK_VARIABLE}='${JSON.stringify({ kafkaBrokers, databaseUrl })}'\n`);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await stack.stop();
