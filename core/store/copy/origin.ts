import { createHash } from 'node:crypto';
import { BootError } from '../../config/boot-error.js';
import type { CopySource } from './copy-database.js';

/** The source of a copy, as the target stores it. */
export interface Origin {
  readonly place: string;
  /** Identifies a store by its engine, by when its tables were created, and by its realms. */
  readonly fingerprint: string;
}

export async function readOrigin(source: CopySource): Promise<Origin> {
  const realms = await source.rows({ answer: 'rows', sql: 'SELECT name, id FROM realms ORDER BY id', parameters: [] });
  const identity = JSON.stringify([
    source.engine,
    await source.appliedMigrations(),
    realms.map(({ name, id }) => [name, id]),
  ]);
  return { place: source.location, fingerprint: createHash('sha256').update(identity).digest('hex') };
}

/**
 * Returns the error of a host that is started on an unfinished copy.
 * @param originText the stored origin; undefined if the copy has only just begun
 */
export function unfinishedError(place: string, originText: string | undefined, alternative: string): BootError {
  const sourceLocation = originText === undefined ? 'another store' : (JSON.parse(originText) as Origin).place;
  return new BootError('store_failed', `${place} is an unfinished copy of ${sourceLocation}`, {
    hint: `run the same keyhost store copy again to continue, or ${alternative} and start again`,
  });
}
