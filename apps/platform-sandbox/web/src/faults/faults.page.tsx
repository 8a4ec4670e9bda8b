import { Opened } from '@gondola/web-kit/ui/opened';
import { useNamed } from '@gondola/web-kit/texts/named';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card } from '@gondola/web-kit/ui/card';
import { Page } from '@gondola/web-kit/ui/page';
import { Text } from '@gondola/web-kit/ui/text';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { remove, send, useAction, useRead } from '../api/sandbox.ts';
import type { ActiveFault, FaultKind } from '../api/types.ts';
import { Act, Refused } from '../ui/act.tsx';
import { TextField } from '../ui/field.tsx';
import { Toggle } from '../ui/toggle.tsx';
import { AimForm, type Aim, aimOf, NO_AIM } from './aim-form.tsx';
import styles from './faults.module.css';

const PLACES = ['call', 'notification'] as const;

/** Faults as switches: each says what it does, and how often it did. */
export function FaultsPage(): ReactNode {
  const { t } = useTranslation();
  const kinds = useRead<readonly FaultKind[]>('/admin/fault-kinds');
  const active = useRead<readonly ActiveFault[]>('/admin/faults');
  const [aim, setAim] = useState<Aim>(NO_AIM);
  const set = active.data ?? [];
  return (
    <Page title={t('nav.faults')}>
      <p className="muted">{t('faults.intro')}</p>
      <ActiveFaults active={set} />
      <AimForm aim={aim} onChange={setAim} />
      <Answer query={kinds}>
        {(all) =>
          PLACES.map((place) => (
            <Card key={place} title={t(`faults.${place}`)}>
              <ul className={styles['kinds']}>
                {all
                  .filter(({ of }) => (of.includes('call') ? 'call' : 'notification') === place)
                  .map((kind) => (
                    <Kind
                      key={kind.kind}
                      of={kind}
                      active={set.filter(({ fault }) => fault.kind === kind.kind)}
                      aim={aim}
                    />
                  ))}
              </ul>
            </Card>
          ))
        }
      </Answer>
    </Page>
  );
}

/** Name and effect of a kind in the language of the page; those of a newer sandbox in its own. */
function useFaultWords(): (kind: string, effect: string) => { readonly name: string; readonly effect: string } {
  const named = useNamed();
  return (kind, effect) => ({ name: named(`fault.${kind}.name`, kind), effect: named(`fault.${kind}.effect`, effect) });
}

function ActiveFaults({ active }: { active: readonly ActiveFault[] }): ReactNode {
  const { t } = useTranslation();
  const words = useFaultWords();
  if (active.length === 0) return null;
  return (
    <Card
      title={t('faults.active', { count: active.length })}
      aside={<Act label={t('faults.removeAll')} run={() => remove('/admin/faults')} />}
    >
      <ul className={styles['kinds']}>
        {active.map(({ id, fault: { kind, ...options }, matched, struck }) => (
          <li key={id} className={styles['active']}>
            <span>
              <strong>{words(kind, '').name}</strong>{' '}
              <Text
                value={Object.entries(options)
                  .map(([name, value]) => `${name}: ${String(value)}`)
                  .join(', ')}
              />
              <br />
              <span className="muted">{t('faults.struck', { struck, matched })}</span>
            </span>
            <Act label={t('faults.remove')} run={() => remove(`/admin/faults/${id}`)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Kind({ of, active, aim }: { of: FaultKind; active: readonly ActiveFault[]; aim: Aim }): ReactNode {
  const { t } = useTranslation();
  const { name, effect } = useFaultWords()(of.kind, of.effect);
  const named = useNamed();
  const [options, setOptions] = useState<Readonly<Record<string, string>>>({});
  const switching = useAction(async (isOn: boolean) => {
    if (isOn) await send('/admin/faults', [{ kind: of.kind, ...aimOf(aim), ...given(of, options) }]);
    else for (const { id } of active) await remove(`/admin/faults/${id}`);
  });
  return (
    <li>
      <Toggle
        label={
          <span>
            <strong>{name}</strong> {name !== of.kind && <code>{of.kind}</code>}
          </span>
        }
        isOn={active.length > 0}
        disabled={switching.isPending}
        onChange={(isOn) => switching.mutate(isOn)}
      />
      <p className={styles['effect']}>{effect}</p>
      {active.length === 0 && (
        <div className={styles['options']}>
          <Opened label={t('faults.more')}>
            <div className="filters">
              {of.options
                .filter(({ name: option }) => !(option in aim))
                .map(({ name: option, description }) => (
                  <TextField
                    key={option}
                    label={named(`faults.options.${option}`, option)}
                    title={description}
                    value={options[option] ?? ''}
                    onChange={(text) => setOptions({ ...options, [option]: text })}
                  />
                ))}
            </div>
          </Opened>
        </div>
      )}
      <Refused error={switching.error} />
    </li>
  );
}

/** Options that are filled in, each as the sandbox wants it. */
function given({ options }: FaultKind, written: Readonly<Record<string, string>>): object {
  const filled = options.filter(({ name }) => (written[name] ?? '').trim() !== '');
  return Object.fromEntries(
    filled.map(({ name, schema }) => [name, schema.type === 'string' ? written[name] : Number(written[name])]),
  );
}
