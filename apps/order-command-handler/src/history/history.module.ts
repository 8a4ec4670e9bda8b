import { Module } from '@nestjs/common';
import { PublishedRecordsRepository } from './published-records.repository.ts';

/** What was published of each order. */
@Module({ providers: [PublishedRecordsRepository], exports: [PublishedRecordsRepository] })
export class HistoryModule {}
