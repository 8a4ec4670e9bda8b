import { Card } from '@gondola/web-kit/ui/card';
import { Text } from '@gondola/web-kit/ui/text';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../api/catalog-publisher.d.ts';
import { useWords } from '../texts/words.ts';
import styles from './products.module.css';

type Explanation = components['schemas']['ShownExplanation'];

/** The way of a product to the shopper as stations, with who must act at the first that is missing. */
export function Path({ explanation: { inShop, summary, steps } }: { explanation: Explanation }): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  const verdicts = { true: t('product.inShop'), false: t('product.notInShop'), null: t('product.unknownInShop') };
  const first = steps.findIndex(({ state }) => state === 'missing' || state === 'waiting');
  return (
    <>
      <section className={styles['verdict']} data-well={inShop === true && first === -1}>
        <h2>{verdicts[String(inShop) as keyof typeof verdicts]}</h2>
        <p>
          <Text value={summary} />
        </p>
      </section>
      <Card title={t('product.path')}>
        <ol className={styles['path']}>
          {steps.map(({ step, state, who, text }, index) => (
            <li key={step} data-state={state} data-first={index === first}>
              <span className={styles['dot']} aria-hidden="true" />
              <div>
                <strong>{t(`product.step.${step}`)}</strong>{' '}
                <span className="muted">{t(`product.state.${state}`)}</span>
                {who !== null && (
                  <span className={index === first ? 'tag attention' : 'tag'}>
                    {t('today.acts', { who: word('party', who) })}
                  </span>
                )}
                <p className="muted">
                  <Text value={text} />
                </p>
              </div>
            </li>
          ))}
        </ol>
      </Card>
    </>
  );
}
