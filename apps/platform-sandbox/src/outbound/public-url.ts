import type { AddressInfo } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { SANDBOX_SETTINGS, type SandboxSettings } from '../config.ts';

/** The address under which the sandbox is reached. */
@Injectable()
export class PublicUrl {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    @Inject(SANDBOX_SETTINGS) private readonly settings: SandboxSettings,
  ) {}

  /** Without a slash at the end. */
  base(): string {
    if (this.settings.publicUrl !== null) return this.settings.publicUrl;
    const server = this.adapterHost.httpAdapter.getHttpServer() as { address(): AddressInfo | null };
    return `http://127.0.0.1:${server.address()?.port ?? 0}`;
  }
}
