import { requireNode } from '@gondola/service-kit/node-version';

requireNode();
await import('reflect-metadata');
const { runApp } = await import('@gondola/service-kit/run-app');
const { appOptions } = await import('./app.module.ts');
const { loadConfig } = await import('./config.ts');

await runApp(() => appOptions(loadConfig(process.env)));
