import { Module } from '@nestjs/common';
import { ImagesModule } from '../images/images.module.ts';
import { TurnsModule } from '../turns/turns.module.ts';
import { ListFiles } from './list-files.service.ts';
import { RemoveAllFiles } from './remove-all-files.service.ts';
import { RemoveFiles } from './remove-files.service.ts';
import { UndoImages } from './undo-images.service.ts';

const PROVIDED = [ListFiles, RemoveFiles, RemoveAllFiles, UndoImages];

/** `ListFiles`, `RemoveFiles`, `RemoveAllFiles`, `UndoImageUpload` */
@Module({
  imports: [ImagesModule, TurnsModule],
  providers: PROVIDED,
  exports: PROVIDED,
})
export class FilesModule {}
