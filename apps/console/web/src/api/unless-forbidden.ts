import { ApiProblem } from '@gondola/web-kit/api/api-problem';

/** The answer of a call, or another one if this operator may not make it. */
export async function unlessForbidden<Answer, Other>(call: Promise<Answer>, other: Other): Promise<Answer | Other> {
  return call.catch((error: unknown) => {
    if (error instanceof ApiProblem && error.status === 403) return other;
    throw error;
  });
}
