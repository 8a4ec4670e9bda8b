import 'reflect-metadata';
import { runApp } from '@gondola/service-kit/run-app';
import { appOptions } from './app.module.ts';
import { loadConfig } from './config.ts';

await runApp(() => appOptions(loadConfig(process.env)));
