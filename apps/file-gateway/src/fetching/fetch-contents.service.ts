import { createHash } from 'node:crypto';
import { CONFIG } from '@gondola/service-kit/config/injected';
import type { ContentReference } from '@gondola/shared/files/content-reference';
import { fieldReason } from '@gondola/shared/fields/field-reasons';
import { invalid } from '@gondola/shared/results/conclusion';
import { doubledMs } from '@gondola/shared/backoff';
import { Inject, Injectable } from '@nestjs/common';
import type { WantedContent } from '../commands/file-command.ts';
import type { Config } from '../config.ts';
import { type FileStep, concludedUnsent, type LaneWork, waits } from '../commands/file-step.ts';
import type { NamedUpload } from '../uploads/held-content.ts';
import { ReceiveUpload } from '../uploads/receive-upload.service.ts';
import { notSupportedText } from '../uploads/upload-texts.ts';
import { UploadsRepository } from '../uploads/uploads.repository.ts';
import type { FetchRefusal } from './allowed-url.ts';
import { FetchError } from './fetch-error.ts';
import { afterFailedFetch, afterFullQuota, fetchProgressFromText, NOT_FETCHED } from './fetch-progress.ts';
import { FETCH_TEXTS } from './fetch-texts.ts';
import { type FetchedKey, FetchedContentsRepository } from './fetched-contents.repository.ts';
import { PathContent } from './path-content.adapter.ts';
import { UrlContent } from './url-content.adapter.ts';

/** Longest pause before a content for which there was no room is fetched again. */
const MAX_WAIT_MS = 300_000;

/** Rules of a command for its content. */
export interface FetchRules {
  /** Reason code for content that is neither an image nor a PDF. */
  readonly otherwise: 'NOT_IMAGE' | 'NOT_PDF';
  /** Id of the ERP's command. */
  readonly commandId: string;
}

/** The command's contents as uploads, or the step of a command that still waits for some, or cannot get them. */
export type FetchStep =
  | { readonly kind: 'there'; readonly uploads: readonly NamedUpload[] }
  | { readonly kind: 'step'; readonly step: FileStep };

/**
 * Content that a command names by `url` or `path` becomes an upload (rule 31), one in each step:
 *
 *   named ─▶ judged by its text ─┬─▶ fetched ── stored, written down ─▶ there
 *                                │     ├── the server does not deliver: again, three times at most ─▶ invalid
 *                                │     ├── the tenant's quota is full: again, until there is room
 *                                │     └── forbidden, too large, neither image nor PDF ─────────────▶ invalid
 *                                └─ forbidden: nothing is connected to ─────────────────────────────▶ invalid
 */
@Injectable()
export class FetchContents {
  readonly #retryMs: number;

  constructor(
    private readonly urls: UrlContent,
    private readonly paths: PathContent,
    private readonly fetched: FetchedContentsRepository,
    private readonly uploads: UploadsRepository,
    private readonly receiving: ReceiveUpload,
    @Inject(CONFIG) { fetching }: { readonly fetching: Pick<Config['fetching'], 'retryMs'> },
  ) {
    this.#retryMs = fetching.retryMs;
  }

  async bring(work: LaneWork, wanted: readonly WantedContent[], rules: FetchRules): Promise<FetchStep> {
    const errors = wanted.flatMap(({ source, field }) => {
      const why = 'url' in source ? this.urls.refusalOf(work.lane.tenant, source.url) : null;
      return why === null ? [] : [notAllowed(work, field, why)];
    });
    if (errors.length > 0) return { kind: 'step', step: concludedUnsent(invalid(errors)) };
    const uploads: NamedUpload[] = [];
    for (const { source, field } of wanted) {
      const uploadId = 'uploadId' in source ? source.uploadId : await this.#uploadOf(work, source, rules);
      if (uploadId === null) return { kind: 'step', step: await this.#fetch(work, { source, field }, rules) };
      uploads.push({ uploadId, field });
    }
    return { kind: 'there', uploads };
  }

  async #uploadOf({ lane }: LaneWork, source: ContentReference, { commandId }: FetchRules): Promise<string | null> {
    const uploadId = await this.fetched.uploadOf(keyOf(lane.tenant, commandId, source));
    if (uploadId === null) return null;
    return (await this.uploads.find(lane.tenant, uploadId)) === null ? null : uploadId;
  }

  async #fetch(work: LaneWork, { source, field }: WantedContent, rules: FetchRules): Promise<FileStep> {
    const { tenant } = work.lane;
    try {
      const received = await this.receiving.receive(tenant, this.#read(work, source));
      if (received.kind === 'stored') {
        await this.fetched.save(keyOf(tenant, rules.commandId, source), received.upload.uploadId);
        return waits(NOT_FETCHED, 0);
      }
      if (received.kind === 'too-large') return this.#refused(work, field, received.kind);
      if (received.kind === 'quota-full') return this.#awaitRoom(work);
      if (received.kind === 'given-up') return waits(NOT_FETCHED, this.#retryMs);
      const { language } = work.tenant;
      const hint = notSupportedText(received.found, language);
      return concludedUnsent(invalid([fieldReason(rules.otherwise, language, { field }, { hint })]));
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      return this.#refused(work, field, error.why);
    }
  }

  #read({ lane: { tenant }, call }: LaneWork, source: ContentReference): AsyncIterable<Uint8Array> {
    if ('url' in source) return this.urls.read(tenant, source.url, call.signal);
    if ('path' in source) return this.paths.read(tenant, source.path);
    throw new Error('The content of an upload needs no fetch');
  }

  #awaitRoom({ command }: LaneWork): FileStep {
    const next = afterFullQuota(fetchProgressFromText(command.progress));
    return waits(next, doubledMs(this.#retryMs, next.fetching.full ?? 1, Math.max(this.#retryMs, MAX_WAIT_MS)));
  }

  #refused(work: LaneWork, field: string, why: FetchRefusal): FileStep {
    const next = why === 'unreachable' ? afterFailedFetch(fetchProgressFromText(work.command.progress)) : null;
    if (next !== null) return waits(next, doubledMs(this.#retryMs, next.fetching.tries));
    return concludedUnsent(invalid([notAllowed(work, field, why)]));
  }
}

function keyOf(tenant: string, commandId: string, source: ContentReference): FetchedKey {
  return { tenant, commandId, source: createHash('sha256').update(JSON.stringify(source)).digest('hex') };
}

function notAllowed({ tenant: { language } }: LaneWork, field: string, why: FetchRefusal) {
  return fieldReason('CONTENT_NOT_ALLOWED', language, { field }, { hint: FETCH_TEXTS[language][why] });
}
