import { createLogger, type Logger } from '@gondola/service-kit/logging/logger';

/** A logger without output. */
export function quietLogger(): Logger {
  return createLogger({ app: 'messaging-tests', level: 'silent' });
}

export interface LogLine {
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** A logger whose lines are collected. */
export function recordingLogger(): { logger: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) };
  return { logger: createLogger({ app: 'messaging-tests', level: 'debug', destination }), lines };
}
