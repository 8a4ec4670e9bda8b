import { Button, Dialog, DialogDismiss, DialogHeading, useDialogStore } from '@ariakit/react';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSentence } from './problem.tsx';

interface Confirmed {
  /** On the button that opens the question, and on the one that does it. */
  label: string;
  title: string;
  /** What will happen. */
  children: ReactNode;
  run: () => Promise<unknown>;
  onDone?: () => void;
  /** What is lost for good. */
  dangerous?: boolean;
  disabled?: boolean;
  /** False while the question itself lacks an answer. */
  mayRun?: boolean;
}

/** A button that says what will happen before it happens. */
export function Confirm({
  label,
  title,
  children,
  run,
  onDone,
  dangerous = false,
  disabled = false,
  mayRun = true,
}: Confirmed): ReactNode {
  const { t } = useTranslation();
  const sentence = useSentence();
  const [open, setOpen] = useState(false);
  const dialog = useDialogStore({ open, setOpen });
  const doing = useMutation({
    mutationFn: run,
    onSuccess: () => {
      setOpen(false);
      onDone?.();
    },
  });
  const ask = () => {
    doing.reset();
    setOpen(true);
  };
  return (
    <>
      <button type="button" className={dangerous ? 'danger' : undefined} disabled={disabled} onClick={ask}>
        {label}
      </button>
      <Dialog store={dialog} className="dialog" backdrop={<div className="backdrop" />} unmountOnHide>
        <DialogHeading>
          <bdi>{title}</bdi>
        </DialogHeading>
        <div className="dialog-body">{children}</div>
        {doing.error !== null && (
          <p className="problem" role="alert">
            <bdi>{sentence(doing.error)}</bdi>
          </p>
        )}
        <div className="dialog-foot">
          <DialogDismiss>{t('dialog.cancel')}</DialogDismiss>
          <Button
            className={dangerous ? 'danger primary' : 'primary'}
            disabled={doing.isPending || !mayRun}
            accessibleWhenDisabled
            onClick={() => doing.mutate()}
          >
            {doing.isPending ? t('dialog.working') : label}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
