import { pino, type DestinationStream, type Logger } from 'pino';
import type { SandboxConfig } from './config.ts';

/** JSON lines; an error is its name, code and message, without a stack that a person has to read past. */
export function createLogger(level: SandboxConfig['logLevel'], destination?: DestinationStream): Logger {
  const settings = {
    level,
    base: { app: 'platform-sandbox', pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorFields },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination === undefined ? pino(settings) : pino(settings, destination);
}

function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : undefined;
  const cause = error.cause instanceof Error ? { cause: error.cause.message } : {};
  const place = error.stack
    ?.split('\n')
    .find((line) => line.trim().startsWith('at '))
    ?.trim();
  return { name: error.name, code, message: error.message, place, ...cause };
}
