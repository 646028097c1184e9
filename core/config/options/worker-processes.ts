import { availableParallelism } from 'node:os';
import type { OptionReader } from './option-reader.js';

/** The maximum number of workers. Each has its own heap and connection pool, so a larger number is a typing mistake. */
const MAX_WORKERS = 128;

/**
 * Reads the number of processes that serve. `auto` means one for each core. More than one requires a store that
 * processes can share.
 */
export function readWorkers({ text, complain }: OptionReader): number {
  const value = text('workers') ?? '1';
  const count = value === 'auto' ? availableParallelism() : Number(value);
  if (!/^(auto|\d{1,3})$/.test(value) || count < 1 || count > MAX_WORKERS) {
    complain(
      'workers',
      `must be a whole number from 1 to ${MAX_WORKERS}, or auto for one for each core, not "${value}"`,
    );
    return 1;
  }
  if (value !== '1' && text('db') === 'sqlite') {
    complain('workers', 'requires --db postgres: only one process can use a SQLite store');
  }
  return count;
}
