import { requireNode } from '@gondola/service-kit/config/node-version';

requireNode();
await import('reflect-metadata');
const { runApp } = await import('@gondola/service-kit/run/run-app');
const { appOptions } = await import('./app.module.ts');
const { loadConfig } = await import('./config.ts');

await runApp(() => appOptions(loadConfig(process.env)));
