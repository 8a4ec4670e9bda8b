import { ApiProblem } from '@gondola/web-kit/api/api-problem';
import { answerOf, files } from '../api/clients.ts';

/** Result of a list of files; `urls` is null if it did not end well. */
export interface Listed {
  readonly outcome: string;
  readonly urls: readonly string[] | null;
}

interface Reason {
  readonly message: string;
}

interface Result {
  readonly outcome: string;
  readonly reason?: Reason | null;
  readonly errors?: readonly Reason[];
  readonly data?: {
    readonly files?: ReadonlyArray<{ readonly url?: string }>;
    readonly urls?: readonly string[];
  } | null;
}

const PAUSE_MS = 700;
const MOST_LOOKS = 60;

/** Gives a file command as the ERP would; answers its id. */
export async function giveCommand(tenant: string, command: Readonly<Record<string, unknown>>): Promise<string> {
  const commandId = `console-${crypto.randomUUID()}`;
  await answerOf(files.POST('/api/commands', { body: { commandId, tenant, ...command } as never }));
  return commandId;
}

/** Gives a command that lists files, and waits for its result. */
export async function carryOut(tenant: string, command: Readonly<Record<string, unknown>>): Promise<Listed> {
  const commandId = await giveCommand(tenant, command);
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const { result } = await resultOf(tenant, commandId).catch(() => NO_RESULT);
    if (result !== null) return { outcome: result.outcome, urls: urlsOf(result) };
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return { outcome: 'waiting', urls: null };
}

const NO_RESULT = { result: null };

/**
 * Result of a command of the operator's own, with its personal data; null while it has none, and before the app knows
 * it. It is revealed once it is there, since each reveal is recorded.
 */
export async function resultOf(tenant: string, commandId: string): Promise<{ readonly result: Result | null }> {
  try {
    const ask = (query: { tenant: string; unmasked?: 'true' }) =>
      answerOf(files.GET('/api/commands/{commandId}', { params: { path: { commandId }, query } }));
    if ((await ask({ tenant })).result === null) return NO_RESULT;
    const { result } = await ask({ tenant, unmasked: 'true' });
    return { result: result as unknown as Result | null };
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return NO_RESULT;
    throw error;
  }
}

function urlsOf({ outcome, data }: Result): readonly string[] | null {
  if (outcome !== 'applied' && outcome !== 'unchanged') return null;
  return data?.urls ?? data?.files?.flatMap(({ url }) => url ?? []) ?? [];
}
