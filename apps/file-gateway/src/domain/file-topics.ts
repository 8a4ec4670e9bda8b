import type { TopicName } from '@gondola/shared/topics/topics';

export const FILE_COMMANDS = 'erp.files.commands.v1' as const satisfies TopicName;
export const FILE_RESULTS = 'erp.files.results.v1' as const satisfies TopicName;
