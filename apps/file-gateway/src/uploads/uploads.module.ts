import { Module } from '@nestjs/common';
import { FreeSpace } from './free-space.adapter.ts';
import { UploadsRepository } from './uploads.repository.ts';
import { UploadsMetrics } from './uploads.metrics.ts';
import { ReceiveUpload } from './receive-upload.service.ts';
import { UploadsRoute } from './uploads.route.ts';
import { ContentDecoder } from '../contents/content-decoder.adapter.ts';
import { CheckContents } from '../contents/check-contents.service.ts';
import { AddressRule } from '../fetching/host-addresses.adapter.ts';
import { HostAddresses } from '../fetching/host-addresses.adapter.ts';
import { UrlContent } from '../fetching/url-content.adapter.ts';
import { PathContent } from '../fetching/path-content.adapter.ts';
import { FetchedContentsRepository } from '../fetching/fetched-contents.repository.ts';
import { FetchContents } from '../fetching/fetch-contents.service.ts';

/**
 * Content: of `POST /uploads`, or fetched by URL or path, stored in PostgreSQL and checked as complete; commands hold
 * it until they are concluded.
 */
@Module({
  providers: [
    FreeSpace,
    UploadsRepository,
    UploadsMetrics,
    ReceiveUpload,
    UploadsRoute,
    ContentDecoder,
    CheckContents,
    AddressRule,
    HostAddresses,
    UrlContent,
    PathContent,
    FetchedContentsRepository,
    FetchContents,
  ],
  exports: [UploadsRepository, ReceiveUpload, CheckContents, FetchContents],
})
export class UploadsModule {}
