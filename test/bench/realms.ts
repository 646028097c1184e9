import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { AT_START, cpuBetween, cpuMark } from './cpu.js';
import { production } from './keyhost.js';
import { median } from './median.js';
import { Processes } from './processes.js';
import { MACHINE, smallRealm, writeManyRealms } from './start/many-realms.js';

const HELP = `node dist/test/bench/realms.js [options]: a folder of many realm files

  --realms N     how many (default 10000)
  --changes N    how many of them are changed, one after the other (default 20)
  --help
`;
const { values } = parseArgs({
  options: {
    realms: { type: 'string', default: '10000' },
    changes: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});

/** Milliseconds between the write of a file and the first token that reflects it. */
async function change(dir: string, url: string, index: number, seconds: number): Promise<number> {
  const token = `${url}/realms/r${index}/protocol/openid-connect/token`;
  const began = performance.now();
  await writeFile(join(dir, 'realms', `r${index}.json`), JSON.stringify(smallRealm(index, seconds)));
  for (;;) {
    const response = await fetch(token, { method: 'POST', body: new URLSearchParams(MACHINE) });
    const { expires_in } = (await response.json()) as { expires_in?: number };
    if (expires_in === seconds) return performance.now() - began;
    await wait(5);
  }
}

const print = (what: string, value: number, unit: string) =>
  process.stdout.write(`${what.padEnd(44)} ${value.toFixed(1).padStart(9)} ${unit}\n`);

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const count = Number(values.realms);
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-bench-realms-'));
  const processes = new Processes(process.execPath, join(dir, 'code-cache'));
  try {
    await writeManyRealms(dir, count);
    const argv = await production(dir);
    const first = await processes.start(argv);
    print(`first start, ${count} new files`, first.readyMs, 'ms');
    await processes.stop(first);
    const second = await processes.start(argv);
    const mark = () => cpuMark([second.pid]);
    print('start with nothing changed', second.readyMs, 'ms');
    print('  its CPU', cpuBetween(AT_START, mark()), 'ms');
    const times: number[] = [];
    for (let at = 0; at < Number(values.changes); at += 1) {
      times.push(await change(dir, second.url, (at * 7) % count, 200 + at));
    }
    print('a changed file until a token shows it, median', median(times), 'ms');
    const before = mark();
    await wait(30_000);
    print('CPU at rest', cpuBetween(before, mark()) / 30, 'ms per second');
    await processes.stop(second);
  } finally {
    processes.killAll();
    await rm(dir, { recursive: true, force: true });
  }
}

await main();
