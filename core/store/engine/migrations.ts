import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BootError } from '../../config/boot-error.js';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, hexadecimal. */
  readonly checksum: string;
}

/**
 * Reads `NNN_name.sql`, numbered without a gap. Where there is `NNN_name.pg.sql` too, that one is PostgreSQL's; its first one
 * makes what the migrations up to its number make together.
 * @param folder by default `core/store/migrations` of this package: the compiler leaves `.sql` where it is
 */
export function readMigrations(
  folder: string = migrationsFolder(),
  engine: 'sqlite' | 'postgresql' = 'sqlite',
): readonly Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  const own = files.filter((file) => file.endsWith('.pg.sql')).sort();
  const plain = files.filter((file) => !own.includes(file));
  const taken = engine === 'sqlite' ? plain : [...own, ...plain.filter((file) => isAfter(file, own))];
  const start = engine === 'sqlite' ? 1 : numberOf(own[0]);
  return taken.sort().map((name, index) => {
    const version = numberOf(name);
    if (version !== start + index)
      throw new BootError('store_failed', `${join(folder, name)} is not migration ${start + index}`);
    const sql = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    return { version, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

function migrationsFolder(): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    const candidate = join(folder, 'core', 'store', 'migrations');
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) {
      throw new BootError('store_failed', `no core/store/migrations above ${start}`, {
        hint: 'the installation is incomplete: install Keyhost again',
      });
    }
  }
}

/** Whether it comes after the first of PostgreSQL's own, and is not one that those replace. */
function isAfter(file: string, own: readonly string[]): boolean {
  return numberOf(file) > numberOf(own[0]) && !own.some((other) => numberOf(other) === numberOf(file));
}

function numberOf(file = ''): number {
  return Number(/^(\d{3})_[a-z0-9_]+(\.pg)?\.sql$/.exec(file)?.[1]);
}

/** A row of `schema_migrations`. */
export interface AppliedMigration {
  readonly version: number;
  readonly checksum: string;
}

export const APPLIED_MIGRATIONS = 'SELECT version, checksum FROM schema_migrations ORDER BY version';

/** The statement that remembers one. */
export function remembering({ version, checksum }: Migration, appliedAt: number): string {
  return (
    'INSERT INTO schema_migrations (version, checksum, applied_at) ' +
    `VALUES (${version}, '${checksum}', ${Math.trunc(appliedAt)})`
  );
}

/**
 * The migrations that a store still lacks.
 * @throws BootError `store_failed` when the store was written by a newer Keyhost or an applied migration was edited
 */
export function lacking(applied: readonly AppliedMigration[], migrations: readonly Migration[]): readonly Migration[] {
  const [newest, known] = [applied.at(-1)?.version ?? 0, migrations.at(-1)?.version ?? 0];
  if (newest > known) {
    throw new BootError('store_failed', `the store has schema ${newest}, this Keyhost knows schemas up to ${known}`, {
      hint: 'start the newer Keyhost that wrote it, or restore a backup from before the upgrade',
    });
  }
  for (const [index, { version, checksum }] of applied.entries()) {
    const migration = migrations[index];
    if (migration?.version === version && migration.checksum === checksum) continue;
    throw new BootError('store_failed', `migration ${migration?.name} is not the one that was applied to this store`, {
      hint: 'migrations never change once released: restore the file, or install Keyhost again',
    });
  }
  return migrations.slice(applied.length);
}
