import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import { cpuBetween, cpuMark, processTree } from './cpu.js';

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('bench, CPU: CPU is that which the process says itself, also of a thread that has ended', async (t) => {
  const before = cpuMark([process.pid]);
  const own = process.cpuUsage();
  // Runs until the process has used this CPU time, independently of any clock.
  const burn = `const began = process.cpuUsage(); while (process.cpuUsage(began).user < 400_000);`;
  await once(new Worker(burn, { eval: true }), 'exit');
  const { user, system } = process.cpuUsage(own);
  const seen = cpuBetween(before, cpuMark([process.pid]));
  t.true(Math.abs(seen - (user + system) / 1000) < 60, `${seen} ms, and the process says ${(user + system) / 1000}`);
});

onLinux('bench, CPU: a process is counted with its children', (t) => {
  t.true(processTree(process.ppid).includes(process.pid));
  t.is(processTree(process.pid)[0], process.pid);
});
