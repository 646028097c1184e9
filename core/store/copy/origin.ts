import { createHash } from 'node:crypto';
import { BootError } from '../../config/boot-error.js';
import type { CopySource } from './copy-database.js';

/** The source of a copy, as the target stores it. */
export interface Origin {
  readonly place: string;
  /** Identifies a store: when and by which engine its tables were created, and which realms it has. */
  readonly fingerprint: string;
}

export async function originOf(source: CopySource): Promise<Origin> {
  const realms = await source.rows({ answer: 'rows', sql: 'SELECT name, id FROM realms ORDER BY id', parameters: [] });
  const said = JSON.stringify([source.engine, await source.applied(), realms.map(({ name, id }) => [name, id])]);
  return { place: source.place, fingerprint: createHash('sha256').update(said).digest('hex') };
}

/**
 * The error of a host that is started on an unfinished copy. @param said the stored origin; undefined if the copy was
 * only just begun
 */
export function unfinished(place: string, said: string | undefined, giveUp: string): BootError {
  const from = said === undefined ? 'another store' : (JSON.parse(said) as Origin).place;
  return new BootError('store_failed', `${place} is an unfinished copy of ${from}`, {
    hint: `run the same keyhost store copy again to continue, or ${giveUp} and start again`,
  });
}
