import type { HostOptions } from '../../config/options/options.js';
import type { CheckedFile } from '../../realm-files/checked-file.js';
import type { Change } from '../../realms/comparison/changes.js';
import { type Describing, describeChange, describeConflict } from '../../realms/comparison/describe.js';
import { planFile } from '../../realms/plan-file.js';
import type { StoredRealm } from '../../realms/plan-realm.js';
import type { KnownProvider } from '../../registry/loading/known-providers.js';
import { openStoreForReading, type ReadableStore } from '../../store/open-store.js';

/** Prints what realms of a file would change. Exit code 2 when that is anything. @throws BootError `store_failed` */
export async function planCommand(
  options: HostOptions,
  files: readonly CheckedFile[],
  providers: readonly KnownProvider[],
): Promise<void> {
  const store = await openStoreForReading(options);
  const builtIns = new Set(providers.filter(({ builtin }) => builtin).map(({ spi, id }) => `${spi}/${id}`));
  process.exitCode = 0;
  try {
    for (const file of files) if (await printPlan(file, store, builtIns)) process.exitCode = 2;
  } finally {
    await store?.close();
  }
}

/** @returns true where something would change */
async function printPlan(
  file: CheckedFile,
  store: ReadableStore | undefined,
  builtIns: ReadonlySet<string>,
): Promise<boolean> {
  const { realm } = file.representation;
  const previous = await store?.realms.withDeclaration(realm);
  const describing: Describing = {
    secrets: new Set(file.references.map(({ value }) => value)),
    onByDefault: (spi, id) => builtIns.has(`${spi}/${id}`),
  };
  const path = file.source.files[0]?.path ?? '';
  const report = await planOf(file, previous, store, describing);
  const changed = report.changes.length > 0;
  const version = previous === undefined ? '' : ` (version ${previous.version})`;
  print(`realm ${realm}${version}: ${path} would ${changed ? 'change:' : 'change nothing'}`, report.changes);
  if (report.conflicts.length > 0) print('edited and changed by the file; the file wins:', report.conflicts);
  if (report.edits.length > 0) print('edits that stay:', report.edits);
  return changed;
}

interface Report {
  readonly changes: readonly string[];
  readonly conflicts: readonly string[];
  /** Edits that the file leaves alone. */
  readonly edits: readonly string[];
}

async function planOf(
  file: CheckedFile,
  previous: StoredRealm | undefined,
  store: ReadableStore | undefined,
  describing: Describing,
): Promise<Report> {
  const tell = (found: readonly Change[]) => found.map((change) => describeChange(change, describing));
  const plan = await planFile(file, previous, store);
  return {
    changes: [
      ...(previous === undefined ? ['the realm is created'] : []),
      ...tell(plan.changes),
      ...plan.users.map(({ user }) => `user ${user.username} is created`),
      ...plan.keys.map(({ kid, algorithm }) => `the ${algorithm} key ${kid} comes with the file`),
    ],
    conflicts: plan.conflicts.map((conflict) => describeConflict(conflict, describing)),
    edits: tell(plan.edits),
  };
}

function print(title: string, lines: readonly string[]): void {
  process.stdout.write(`${[title, ...lines.map((line) => `  ${line}`)].join('\n')}\n`);
}
