import { Module } from '@nestjs/common';
import { PublishedRecordsRepository } from './published-records.repository.ts';

/** History of the published events and results of each order. */
@Module({ providers: [PublishedRecordsRepository], exports: [PublishedRecordsRepository] })
export class HistoryModule {}
