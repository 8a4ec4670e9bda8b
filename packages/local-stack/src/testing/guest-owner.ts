/** A program with a child that it started itself and has the keeper terminate, for a test that ends it the hard way. */
import { spawn } from 'node:child_process';
import { terminateWithUs } from '../process-keeper.ts';

const guest = spawn('sleep', ['60']);
terminateWithUs(guest);
process.stdout.write(`${JSON.stringify([guest.pid])}\n`);
