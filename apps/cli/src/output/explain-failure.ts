import {
  addressVariable,
  APP_PORTS,
  type AddressSource,
  type AppName,
  type WrongAddress,
} from '../operations-api/addresses.ts';
import type { ApiFailure } from '../operations-api/operations-api.ts';
import { EXIT, type ExitCode, type Report } from './report.ts';
import type { Say } from '../texts/texts.ts';

const BAD_REQUEST = 400;

/** Reason of a failure: a code for programs, a sentence for people, and the exit code. */
export interface Explanation {
  readonly code: string;
  readonly message: string;
  readonly exit: ExitCode;
}

/** Report of a command that failed. */
export function failedReport({ code, message, exit }: Explanation): Report {
  return { json: { error: { code, message } }, blocks: [], notes: [message], exit };
}

export function failureReport(failure: ApiFailure, say: Say): Report {
  return failedReport(explainFailure(failure, say));
}

/** Report of a command whose app refuses what it was given: nothing has begun, so it counts as wrong usage. */
export function notBegunReport(failure: ApiFailure, say: Say): Report {
  const isWrong = failure.kind === 'refused' && failure.status === BAD_REQUEST;
  return { ...failureReport(failure, say), ...(isWrong && { exit: EXIT.usage }) };
}

/** Explains a failed call in a sentence that names the cause, the address and the remedy. */
export function explainFailure(failure: ApiFailure, say: Say): Explanation {
  if (failure.kind === 'wrong-address')
    return wrongInput('WRONG_ADDRESS', wrongAddress(failure.wrong, failure.request.app, say));
  const { app, method, path } = failure.request;
  const at = { app, url: failure.address.url, source: sourceText(failure.address.source, say) };
  switch (failure.kind) {
    case 'unreachable':
      return explained('UNREACHABLE', say('unreachable', { ...at, reason: failure.reason }), EXIT.unreachable);
    case 'silent': {
      const message = say(method === 'GET' ? 'silent' : 'silentChange', { ...at, ms: failure.ms });
      return explained('TIMEOUT', message, EXIT.unreachable);
    }
    case 'guessed':
      return wrongInput('ADDRESS_GUESSED', say('guessedChange', { ...at, variable: addressVariable(app) }));
    case 'unauthorized': {
      const message = say(failure.hasToken ? 'unauthorizedToken' : 'unauthorizedNoToken', at);
      return explained('UNAUTHORIZED', message, EXIT.unauthorized);
    }
    case 'not-understood': {
      const { status } = failure;
      return explained('NOT_UNDERSTOOD', say('notUnderstood', { ...at, status }), exitOf(status));
    }
    default: {
      const { status, code, message } = failure;
      if (status === 404) return explained(code ?? 'NOT_FOUND', say('notFound', { ...at, path }), EXIT.failed);
      const words = { app, status, code: code ?? '', message: message ?? '-' };
      return explained(code ?? `HTTP_${status}`, say('refused', words), exitOf(status));
    }
  }
}

function explained(code: string, message: string, exit: ExitCode): Explanation {
  return { code, message, exit };
}

/** The command line, the environment or a file is wrong. */
export function wrongInput(code: string, message: string): Explanation {
  return explained(code, message, EXIT.usage);
}

/** Answers of an app, or of a proxy before it, that cannot do its work for now. */
const AWAY: readonly number[] = [502, 503, 504];

function exitOf(status: number): ExitCode {
  return AWAY.includes(status) ? EXIT.unreachable : EXIT.failed;
}

function wrongAddress({ source, problem }: WrongAddress, app: AppName, say: Say): string {
  const where = sourceText(source, say);
  switch (problem) {
    case 'no-url':
      return say('addressNoUrl', { source: where, port: APP_PORTS[app] });
    case 'has-credentials':
      return say('addressHasCredentials', { source: where });
    default:
      return say('addressNotLocal', { source: where, variable: addressVariable(app) });
  }
}

function sourceText(source: AddressSource, say: Say): string {
  switch (source.kind) {
    case 'option':
      return '--api-url';
    case 'environment':
      return source.name;
    case 'run-file':
      return source.path;
    default:
      return say('sourceDefault');
  }
}
