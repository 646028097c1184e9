import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadPlan, LoadResult } from './load.js';

const LOAD = fileURLToPath(new URL('./load.js', import.meta.url));

/** Runs a load in a separate process. @throws Error with the server's answer */
export function runLoad(plan: LoadPlan): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [LOAD, JSON.stringify(plan)], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let complaint = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (complaint += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(JSON.parse(output)) : reject(new Error(complaint.trim()))));
  });
}
