import { answerOf, files } from '../api/clients.ts';

/** Result of a list of files; `urls` is null if it did not end well. */
export interface Listed {
  readonly outcome: string;
  readonly urls: readonly string[] | null;
}

interface Result {
  readonly outcome: string;
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
    const params = { path: { commandId }, query: { tenant } };
    const shown = await answerOf(files.GET('/api/commands/{commandId}', { params })).catch(() => null);
    const result = (shown?.result ?? null) as unknown as Result | null;
    if (result !== null) return { outcome: result.outcome, urls: urlsOf(result) };
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return { outcome: 'waiting', urls: null };
}

function urlsOf({ outcome, data }: Result): readonly string[] | null {
  if (outcome !== 'applied' && outcome !== 'unchanged') return null;
  return data?.urls ?? data?.files?.flatMap(({ url }) => url ?? []) ?? [];
}
