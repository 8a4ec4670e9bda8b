import { useNamed } from '@gondola/web-kit/texts/named';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card } from '@gondola/web-kit/ui/card';
import { Page } from '@gondola/web-kit/ui/page';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send, useAction, useRead } from '../api/sandbox.ts';
import type { SwitchKind } from '../api/types.ts';
import styles from '../faults/faults.module.css';
import { Refused } from '../ui/act.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Toggle } from '../ui/toggle.tsx';

/** Behaviour that the platform's document leaves open. */
export function BehaviourPage(): ReactNode {
  const { t } = useTranslation();
  const kinds = useRead<readonly SwitchKind[]>('/admin/switch-kinds');
  const values = useRead<Readonly<Record<string, unknown>>>('/admin/switches');
  return (
    <Page title={t('nav.behaviour')}>
      <p className="muted">{t('behaviour.intro')}</p>
      <Card title={t('behaviour.title')}>
        <Answer query={kinds}>
          {(all) => (
            <ul className={styles['kinds']}>
              {values.data !== undefined &&
                all.map((kind) => <Switch key={kind.name} of={kind} value={values.data[kind.name]} />)}
            </ul>
          )}
        </Answer>
      </Card>
    </Page>
  );
}

function Switch({ of, value }: { of: SwitchKind; value: unknown }): ReactNode {
  const { t } = useTranslation();
  const named = useNamed();
  const { name, schema } = of;
  const switching = useAction((next: unknown) => send('/admin/switches', { [name]: next }));
  const isChanged = JSON.stringify(value) !== JSON.stringify(of.default);
  const set = (next: unknown) => switching.mutate(next);
  return (
    <li>
      {typeof value === 'boolean' ? (
        <Toggle label={<code>{name}</code>} isOn={value} onChange={set} />
      ) : schema.enum === undefined ? (
        <Written key={JSON.stringify(value)} name={name} value={value} onSet={set} />
      ) : (
        <SelectField
          label={<code>{name}</code>}
          value={String(value)}
          options={schema.enum.map((one) => [String(one), String(one)])}
          onChange={set}
        />
      )}
      <p>{named(`switch.${name}`, of.meaning)}</p>
      {isChanged && (
        <p>
          <span className="tag attention">{t('behaviour.changed')}</span>{' '}
          <button type="button" onClick={() => set(of.default)}>
            {t('behaviour.toDefault', { value: JSON.stringify(of.default) })}
          </button>
        </p>
      )}
      <Refused error={switching.error} />
    </li>
  );
}

/** A value that is written: a text as it is, everything else as JSON. */
function Written({ name, value, onSet }: { name: string; value: unknown; onSet: (value: unknown) => void }): ReactNode {
  const { t } = useTranslation();
  const [text, setText] = useState(typeof value === 'string' ? value : JSON.stringify(value));
  const write = (event: FormEvent) => {
    event.preventDefault();
    onSet(typeof value === 'string' ? text : jsonOf(text));
  };
  return (
    <form className="filters" onSubmit={write}>
      <TextField size={30} label={<code>{name}</code>} value={text} onChange={setText} />
      <button type="submit" aria-label={t('behaviour.setOf', { name })}>
        {t('act.set')}
      </button>
    </form>
  );
}

/** A text that is no JSON is itself, for a switch that is null or a text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
