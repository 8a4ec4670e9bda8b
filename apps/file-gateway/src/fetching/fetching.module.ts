import { Module } from '@nestjs/common';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { FetchContents } from './fetch-contents.service.ts';
import { FetchedContentsRepository } from './fetched-contents.repository.ts';
import { AddressRule, HostAddresses } from './host-addresses.adapter.ts';
import { PathContent } from './path-content.adapter.ts';
import { UrlContent } from './url-content.adapter.ts';

/** Fetches content by URL or path and stores it as uploads. */
@Module({
  imports: [UploadsModule],
  providers: [AddressRule, HostAddresses, UrlContent, PathContent, FetchedContentsRepository, FetchContents],
  exports: [FetchContents],
})
export class FetchingModule {}
