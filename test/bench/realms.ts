import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cpuOf } from './load.js';

const HELP = `node dist/test/bench/realms.js [options]: a folder of many realm files

  --realms N     how many (default 10000)
  --changes N    how many of them are changed, one after the other (default 20)
  --help
`;
const MAIN = fileURLToPath(new URL('../../core/main.js', import.meta.url));
const MACHINE = { grant_type: 'client_credentials', client_id: 'machine', client_secret: 'machine-secret' };
const { values } = parseArgs({
  options: {
    realms: { type: 'string', default: '10000' },
    changes: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});

interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url: string;
  readonly milliseconds: number;
}

async function start(dir: string): Promise<Started> {
  const places = ['--data-dir', join(dir, 'data'), '--realms-dir', join(dir, 'realms')];
  const ports = ['--http-port', '0', '--grpc-port', '0', '--management-port', '0', '--log-level', 'error'];
  const argv = [MAIN, 'start-dev', ...ports, ...places, '--plugins-file', join(dir, 'plugins.json')];
  const began = performance.now();
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
      const found = /ready http=(\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the host ended with code ${code}`)));
  });
  return { child, pid: child.pid ?? 0, url, milliseconds: performance.now() - began };
}

async function stop({ child }: Started): Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await ended;
}

function text(index: number, accessTokenLifespan: number): string {
  const clients = [{ clientId: 'machine', secret: MACHINE.client_secret, serviceAccountsEnabled: true }];
  return JSON.stringify({ realm: `r${index}`, enabled: true, accessTokenLifespan, clients });
}

/** Milliseconds from the write of a file until a token is what it says. */
async function change(dir: string, url: string, index: number, seconds: number): Promise<number> {
  const token = `${url}/realms/r${index}/protocol/openid-connect/token`;
  const began = performance.now();
  await writeFile(join(dir, 'realms', `r${index}.json`), text(index, seconds));
  for (;;) {
    const response = await fetch(token, { method: 'POST', body: new URLSearchParams(MACHINE) });
    const { expires_in } = (await response.json()) as { expires_in?: number };
    if (expires_in === seconds) return performance.now() - began;
    await wait(5);
  }
}

const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
const print = (what: string, value: number, unit: string) =>
  process.stdout.write(`${what.padEnd(44)} ${value.toFixed(1).padStart(9)} ${unit}\n`);

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const count = Number(values.realms);
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-bench-realms-'));
  try {
    await mkdir(join(dir, 'realms'));
    await writeFile(join(dir, 'plugins.json'), '{"plugins": []}');
    for (let index = 0; index < count; index += 1) {
      await writeFile(join(dir, 'realms', `r${index}.json`), text(index, 100));
    }
    const first = await start(dir);
    print(`first start, ${count} new files`, first.milliseconds, 'ms');
    await stop(first);
    const second = await start(dir);
    print('start with nothing changed', second.milliseconds, 'ms');
    print('  its CPU', cpuOf(second.pid), 'ms');
    const times: number[] = [];
    for (let at = 0; at < Number(values.changes); at += 1) {
      times.push(await change(dir, second.url, (at * 7) % count, 200 + at));
    }
    print('a changed file until a token shows it, median', median(times), 'ms');
    const before = cpuOf(second.pid);
    await wait(30_000);
    print('CPU at rest', (cpuOf(second.pid) - before) / 30, 'ms per second');
    await stop(second);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

await main();
