import { Module } from '@nestjs/common';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { CheckContents } from './check-contents.service.ts';
import { ContentDecoder } from './content-decoder.adapter.ts';

/** Checks that uploads are complete. */
@Module({ imports: [UploadsModule], providers: [ContentDecoder, CheckContents], exports: [CheckContents] })
export class ContentsModule {}
