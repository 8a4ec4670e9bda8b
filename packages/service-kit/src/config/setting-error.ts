export interface SettingFault {
  /** The variable that somebody has to look at: `DATABASE_URL`. */
  readonly variable: string;
  /** What is wrong and what would be right, Portuguese first, in one line. No secret may be in it. */
  readonly problem: string;
  /** Stands for the failure where `cause` has no code of its own, such as `DATABASE_UNUSABLE`. */
  readonly code: string;
  readonly cause: unknown;
}

/**
 * What a variable names cannot be used: a server that is away or refuses, a port that is taken. Its message is one
 * sentence for an operator and names the variable. Whether waiting helps is what `cause` says, as without it.
 */
export class SettingError extends Error {
  readonly code: string;
  readonly variable: string;
  constructor({ variable, problem, code, cause }: SettingFault) {
    super(`${variable}: ${problem} (${code})`, { cause });
    this.name = 'SettingError';
    this.code = code;
    this.variable = variable;
  }
}
