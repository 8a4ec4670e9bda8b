/** Methods of logging in (RFC 4252, 4256); by `none`, a server lists the methods that it has. */
export type LogInMethod = 'none' | 'password' | 'keyboard-interactive';

/** Why there is no further method to try. */
export type LogInEnd = 'credentials' | 'no-password' | 'log-in-question';

const BY_PASSWORD = ['password', 'keyboard-interactive'] as const;

/** Answer of a server to a method. */
export interface LogInRefusal {
  /** Methods that the server still has; some list none. */
  readonly left: readonly string[];
  /** True if the method succeeded and another one is needed as well. */
  readonly isPartial: boolean;
}

/**
 * Next method, by those that were tried and the answer to the last one.
 *
 * ```
 * none ─▶ password ─▶ keyboard-interactive ─▶ credentials
 *   │        └─ is not listed ─▲
 *   └─ neither is listed ─▶ no-password      accepted, and more is needed ─▶ log-in-question
 * ```
 *
 * `none` comes first because it lists the methods and is no attempt, while one with a method that the server does not
 * have counts as a failed one, of which it may allow only one.
 */
export function nextMethod(
  tried: readonly LogInMethod[],
  refusal: LogInRefusal | null,
): { readonly method: LogInMethod } | { readonly end: LogInEnd } {
  if (refusal === null) return { method: 'none' };
  if (refusal.isPartial) return { end: 'log-in-question' };
  const { left } = refusal;
  const method = BY_PASSWORD.find((each) => !tried.includes(each) && (left.length === 0 || left.includes(each)));
  if (method !== undefined) return { method };
  return { end: BY_PASSWORD.some((each) => tried.includes(each)) ? 'credentials' : 'no-password' };
}

/** A question of a server in `keyboard-interactive`. */
export interface LogInPrompt {
  /** True if the answer may be shown while it is typed, so it is no password. */
  readonly echo?: boolean | undefined;
}

/**
 * True if the questions are one for the password: a single one without echo, and the first. A question after it may be
 * for a code, which the password must not be shown to.
 */
export function asksForPassword(prompts: readonly LogInPrompt[], hasAnswered: boolean): boolean {
  return !hasAnswered && prompts.length === 1 && prompts[0]?.echo !== true;
}

/** The questions as operators see them, without their texts, which may hold the user's name. */
export function describePrompts(prompts: readonly LogInPrompt[], hasAnswered: boolean): string {
  const echoed = prompts.filter(({ echo }) => echo === true).length;
  const about = `questions: ${prompts.length}, with echo: ${echoed}`;
  return hasAnswered ? `${about}, after the password` : about;
}
