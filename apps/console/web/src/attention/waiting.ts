import { unlessForbidden } from '../api/unless-forbidden.ts';
import { answerOf, clientOf } from '../api/clients.ts';
import type { components } from '../api/order-command-handler.d.ts';
import type { AppName } from '../api/overview.ts';

export type LetterApp = Exclude<AppName, 'webhook-ingest'>;
export type Job = components['schemas']['ShownBulkJob'];
export type BulkAction = Job['action'];
export type LetterGroup = components['schemas']['DeadLetterGroup'];
export type Letter = components['schemas']['DeadLetterSummary'];

/** Rows that a job is about; without a cause, topic or time, all of the shop. */
export interface Selection {
  /** Empty: the rows of which no shop is known. */
  readonly tenant: string;
  readonly reason?: string;
  readonly topic?: string;
  readonly from?: string;
  readonly to?: string;
}

export const LETTER_APPS: readonly LetterApp[] = ['order-command-handler', 'catalog-publisher', 'file-gateway'];

/** Causes of open letters of the shop, and for who may see all shops also of those of which no shop is known. */
export async function letterGroups(app: LetterApp, tenant: string, signal: AbortSignal): Promise<LetterGroup[]> {
  const groupsOf = async (of: string) =>
    answerOf(clientOf(app).GET('/api/dead-letters/groups', { signal, params: { query: { tenant: of } } }));
  const [own, ofNone] = await Promise.all([groupsOf(tenant), unlessForbidden(groupsOf(''), { groups: [] })]);
  return [...own.groups, ...ofNone.groups];
}

export async function previewJob(app: AppName, action: BulkAction, selection: Selection) {
  return answerOf(clientOf(app).POST('/api/jobs/preview', { body: { action, ...selection } }));
}

interface HowToRun {
  readonly perSecond: number;
  /** Rows that the preview counted; more change none. Absent if it stopped counting. */
  readonly expected?: number;
  /** Needed to discard, and for nothing else. */
  readonly note?: string;
}

export async function startJob(app: AppName, action: BulkAction, selection: Selection, how: HowToRun): Promise<Job> {
  return answerOf(clientOf(app).POST('/api/jobs', { body: { action, ...selection, ...how, confirm: true } }));
}

export async function stopJob(app: AppName, { id, filter }: Job): Promise<Job> {
  const options = { params: { path: { id }, query: { tenant: filter.tenant ?? '' } } };
  return answerOf(clientOf(app).POST('/api/jobs/{id}/stop', options));
}

const SHOWN_JOBS = 20;

/** Jobs of one app that run, and the last that ended. */
export async function jobsOf(app: AppName, tenant: string, signal: AbortSignal): Promise<readonly Job[]> {
  const listOf = async (of: string) =>
    answerOf(clientOf(app).GET('/api/jobs', { signal, params: { query: { tenant: of, limit: SHOWN_JOBS } } }));
  const [own, ofNone] = await Promise.all([listOf(tenant), unlessForbidden(listOf(''), { entries: [] })]);
  return [...own.entries, ...ofNone.entries];
}
