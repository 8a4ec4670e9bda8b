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

/** Explains a failed call in a sentence that names the cause, the address and the remedy. */
export function explainFailure(failure: ApiFailure, say: Say): Explanation {
  if (failure.kind === 'wrong-address')
    return { code: 'WRONG_ADDRESS', message: wrongAddress(failure.wrong, failure.request.app, say), exit: EXIT.usage };
  const { app, method, path } = failure.request;
  const at = { app, url: failure.address.url, source: sourceText(failure.address.source, say) };
  switch (failure.kind) {
    case 'unreachable':
      return {
        code: 'UNREACHABLE',
        message: say('unreachable', { ...at, reason: failure.reason }),
        exit: EXIT.unreachable,
      };
    case 'silent': {
      const message = say(method === 'GET' ? 'silent' : 'silentChange', { ...at, ms: failure.ms });
      return { code: 'TIMEOUT', message, exit: EXIT.unreachable };
    }
    case 'guessed': {
      const message = say('guessedChange', { ...at, variable: addressVariable(app) });
      return { code: 'ADDRESS_GUESSED', message, exit: EXIT.usage };
    }
    case 'unauthorized': {
      const message = say(failure.hasToken ? 'unauthorizedToken' : 'unauthorizedNoToken', at);
      return { code: 'UNAUTHORIZED', message, exit: EXIT.unauthorized };
    }
    case 'not-understood':
      return {
        code: 'NOT_UNDERSTOOD',
        message: say('notUnderstood', { ...at, status: failure.status }),
        exit: exitOf(failure.status),
      };
    default: {
      const { status, code, message } = failure;
      if (status === 404)
        return { code: code ?? 'NOT_FOUND', message: say('notFound', { ...at, path }), exit: EXIT.failed };
      const words = { app, status, code: code ?? '', message: message ?? '-' };
      return { code: code ?? `HTTP_${status}`, message: say('refused', words), exit: exitOf(status) };
    }
  }
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
