import { Module } from '@nestjs/common';
import { ImagesModule } from '../images/images.module.ts';
import { NotificationsModule } from '../notifications/notifications.module.ts';
import { PlatformModule } from '../platform/platform.module.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { ListFiles } from './list-files.service.ts';
import { RemoveAllFiles } from './remove-all-files.service.ts';
import { RemoveFiles } from './remove-files.service.ts';
import { UndoImages } from './undo-images.service.ts';

const PROVIDED = [ListFiles, RemoveFiles, RemoveAllFiles, UndoImages];

/** `ListFiles`, `RemoveFiles`, `RemoveAllFiles`, `UndoImageUpload` */
@Module({
  imports: [ImagesModule, NotificationsModule, PlatformModule, UploadsModule],
  providers: PROVIDED,
  exports: PROVIDED,
})
export class FilesModule {}
