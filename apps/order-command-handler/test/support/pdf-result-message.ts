import { resultRecord } from '@gondola/kafka/records/result-record';
import { wireMessage } from '@gondola/kafka/testing/wire-message';
import { buildResult, type ResultParts } from '@gondola/shared/results/result';
import type { Message } from 'kafkajs';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** Result of file-gateway about the PDF of a command: of its upload, or of its check, as `command` says. */
export function pdfResultMessage(
  tenant: string,
  parentCommandId: string,
  more: Pick<ResultParts, 'outcome'> & Partial<ResultParts>,
): Message {
  const time = new Date().toISOString();
  const result = buildResult({
    tenant,
    inputTopic: 'erp.files.commands.v1',
    commandId: `${parentCommandId}/pdf`,
    parentCommandId,
    command: 'UploadInvoicePdf',
    entity: null,
    time,
    receivedAt: time,
    evidence: 'read-back',
    ...more,
  });
  return wireMessage(resultRecord('erp.files.results.v1', result, TRACEPARENT), 'file-gateway');
}
