#!/usr/bin/env node
// Older versions fail while dependencies are loaded, with a stack trace: therefore everything else is imported later.
const LEAST_MAJOR = 24;
if (Number.parseInt(process.versions.node, 10) < LEAST_MAJOR) {
  process.stderr.write(`Node.js ${LEAST_MAJOR} or newer is needed; this is ${process.versions.node}\n`);
  process.exit(1);
}
// The state lives long and its garbage does not: small spaces for new objects take half of the memory.
const { setFlagsFromString } = await import('node:v8');
for (const flag of ['--semi-space-growth-factor=1', '--max-semi-space-size=4']) setFlagsFromString(flag);
const { runCommand } = await import('./command.ts');
await runCommand(process.argv.slice(2), process.env);
