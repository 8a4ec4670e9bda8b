#!/usr/bin/env node
// Older versions fail while dependencies are loaded, with a stack trace: therefore everything else is imported later.
const LEAST_MAJOR = 24;
if (Number.parseInt(process.versions.node, 10) < LEAST_MAJOR) {
  process.stderr.write(`Node.js ${LEAST_MAJOR} or newer is needed; this is ${process.versions.node}\n`);
  process.exit(1);
}
const { runCommand } = await import('./command.ts');
await runCommand(process.argv.slice(2), process.env);

export {};
