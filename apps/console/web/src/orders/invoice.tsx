import { ApiProblem } from '@gondola/web-kit/api/api-problem';
import { Card } from '@gondola/web-kit/ui/card';
import { Problem } from '@gondola/web-kit/ui/problem';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, files } from '../api/clients.ts';
import { carryOut } from '../files/file-commands.ts';
import { OpenFileCommands } from '../files/open-file-commands.tsx';
import type { Tenant } from '../shell/tenant.ts';
import { useWords } from '../texts/words.ts';
import type { Order } from './order-parts.ts';

/** The invoice of an order: whether it is registered, what its PDF waits for, and, once asked, the PDF in the shop. */
export function Invoice({ order, tenant }: { order: Order; tenant: Tenant }): ReactNode {
  const { t } = useTranslation();
  const { openSteps, openCommands, orderNumber: number } = order;
  const { registeredAt, attachedAt } = openSteps;
  const isAsked = openCommands.some(({ command }) => command === 'RegisterInvoice');
  const sentence = () => {
    if (registeredAt !== null) return attachedAt === null ? t('order.invoicePdfMissing') : t('order.invoiceRegistered');
    return isAsked ? t('order.invoiceOpen') : t('order.invoiceNone');
  };
  const at = attachedAt ?? registeredAt;
  const pdf = useQuery({
    queryKey: ['invoice', tenant.id, number],
    queryFn: ({ signal }) =>
      answerOf(
        files.GET('/api/orders/{number}/invoice', {
          signal,
          params: { path: { number }, query: { tenant: tenant.id } },
        }),
      ),
  });
  const isUnknown = pdf.error instanceof ApiProblem && pdf.error.status === 404;
  return (
    <Card title={t('order.invoice')} aside={at !== null && <Moment at={at} />}>
      <p>{sentence()}</p>
      {pdf.error !== null && !isUnknown && <Problem error={pdf.error} app="file-gateway" />}
      {pdf.data !== undefined && <OpenFileCommands commands={pdf.data.openCommands} />}
      {tenant.act && registeredAt !== null && <Pdf tenant={tenant.id} number={number} />}
    </Card>
  );
}

/** The platform is asked by a command, as the ERP would ask it, so only an operator who may act sees its answer. */
function Pdf({ tenant, number }: { tenant: string; number: string }): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  const asking = useMutation({
    mutationFn: () => carryOut(tenant, { command: 'ReadInvoice', orderNumber: Number(number) }),
  });
  const listed = asking.data;
  return (
    <>
      {asking.error !== null && <Problem error={asking.error} app="file-gateway" />}
      {listed?.urls === null && (
        <p className="problem">{t('files.notListed', { outcome: word('outcome', listed.outcome) })}</p>
      )}
      {listed?.urls?.length === 0 && <p className="note">{t('order.pdfNone')}</p>}
      {listed?.urls?.map((url) => (
        <p key={url}>
          {url.startsWith('https://') ? (
            <a href={url} target="_blank" rel="noopener noreferrer">
              {t('order.pdfOpen')}
            </a>
          ) : (
            <Text value={url} longest={500} />
          )}
        </p>
      ))}
      <button type="button" disabled={asking.isPending} onClick={() => asking.mutate()}>
        {asking.isPending ? t('files.listing') : t('order.pdfAsk')}
      </button>
    </>
  );
}
