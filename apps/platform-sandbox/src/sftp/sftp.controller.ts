import { Get, NotFoundException } from '@nestjs/common';
import { AdminRoutes } from '../http/admin-routes.decorator.ts';
import { Describe } from '../openapi/describe.decorator.ts';
import { SftpServer, type SftpAddress } from './sftp-server.service.ts';

/** Address of the SFTP drop, for clients that have to pin its host key. */
@AdminRoutes('sftp')
export class SftpController {
  constructor(private readonly server: SftpServer) {}

  @Get()
  @Describe({
    summary: 'Port, folder and host key of the SFTP drop',
    answer: {
      port: 8022,
      contractFolder: 'loja',
      hostKey: 'ecdsa-sha2-nistp256 AAAA…',
      hostKeyFingerprint: 'SHA256:…',
    },
    errors: { 404: 'There is no SFTP server: SFTP_USERNAME and SFTP_PASSWORD are not set' },
  })
  address(): SftpAddress {
    if (this.server.address !== null) return this.server.address;
    throw new NotFoundException({ code: 'SFTP_OFF', message: 'SFTP_USERNAME and SFTP_PASSWORD are not set' });
  }
}
