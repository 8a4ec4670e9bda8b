import { useSentence } from '@gondola/web-kit/ui/problem';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../api/sandbox.ts';

/** A button that does something at once, which the sandbox can take back or lose without harm. */
export function Act({
  label,
  run,
  primary,
}: {
  label: string;
  run: () => Promise<unknown>;
  primary?: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const doing = useAction(run);
  return (
    <>
      <button
        type="button"
        className={primary === true ? 'primary' : undefined}
        disabled={doing.isPending}
        onClick={() => doing.mutate()}
      >
        {doing.isPending ? t('dialog.working') : label}
      </button>
      <Refused error={doing.error} />
    </>
  );
}

/** The sandbox's sentence about what it did not do. */
export function Refused({ error }: { error: unknown }): ReactNode {
  const sentence = useSentence();
  return error === null || error === undefined ? null : (
    <p className="problem" role="alert">
      <bdi>{sentence(error)}</bdi>
    </p>
  );
}
