import type { HostOptions } from '../../config/options/options.js';
import { importRealmKeys } from '../../keys/import-keys.js';
import type { CheckedFile } from '../../realm-files/checked-file.js';
import { withBuiltIns } from '../../realms/built-ins/built-ins.js';
import { type Change, changes } from '../../realms/comparison/changes.js';
import { type Describing, describeChange, describeConflict } from '../../realms/comparison/describe.js';
import { REALM_SHAPE } from '../../realms/comparison/realm-shape.js';
import { newUsers } from '../../realms/file-users.js';
import { edits, editsOf, planRealm, type StoredRealm } from '../../realms/plan-realm.js';
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
  if (previous?.source?.hash === file.source.hash && previous.declared !== undefined) {
    return { changes: [], conflicts: [], edits: tell(editsOf(previous)) };
  }
  const { realm } = file.representation;
  const plan = planRealm(file, previous);
  const before = previous?.representation ?? withBuiltIns({ realm, enabled: false });
  const users = await newUsers(file, plan.representation, previous, store?.users ?? NO_USERS);
  const known = new Set((await store?.keys.list(realm))?.map(({ kid }) => kid));
  const keys = importRealmKeys(file.representation, 0).filter(({ kid }) => !known.has(kid));
  const theirs = withBuiltIns(plan.declared.representation, plan.representation);
  return {
    changes: [
      ...(previous === undefined ? ['the realm is created'] : []),
      ...tell(changes(REALM_SHAPE, before, plan.representation)),
      ...users.map(({ user }) => `user ${user.username} is created`),
      ...keys.map(({ kid, algorithm }) => `the ${algorithm} key ${kid} comes with the file`),
    ],
    conflicts: plan.conflicts.map((conflict) => describeConflict(conflict, describing)),
    edits: tell(edits(theirs, plan.representation)),
  };
}

/** Of a directory without a store. */
const NO_USERS = {
  count: async () => 0,
  byUsername: async () => undefined,
  byServiceAccountClient: async () => undefined,
};

function print(title: string, lines: readonly string[]): void {
  process.stdout.write(`${[title, ...lines.map((line) => `  ${line}`)].join('\n')}\n`);
}
