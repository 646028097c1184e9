import { readFileSync } from 'node:fs';

/** Resident memory of a process, in MB (Linux). */
export function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024;
}
