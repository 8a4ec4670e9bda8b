/** A program that starts a child itself and registers it with the supervisor, for a test that kills the program. */
import { spawn } from 'node:child_process';
import { terminateWithUs } from '../process-supervisor.ts';

const guest = spawn('sleep', ['60']);
terminateWithUs(guest);
process.stdout.write(`${JSON.stringify([guest.pid])}\n`);
