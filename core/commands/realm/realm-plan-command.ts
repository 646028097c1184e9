import type { CheckedFile } from '../../realm-files/checked-file.js';
import type { Change } from '../../realms/comparison/changes.js';
import { type DescribeOptions, describeChange, describeConflict } from '../../realms/comparison/describe.js';
import { planFile } from '../../realms/plan-file.js';
import type { StoredRealm } from '../../realms/plan-realm.js';
import { openStoreForReading, type ReadableStore } from '../../store/open-store.js';
import { type Command, STORE_OPTIONS } from '../command.js';
import type { CommandLine } from '../command-line.js';
import { CHECK_OPTIONS, checkedFile, PRODUCTION } from './file-checks.js';

export const plan: Command = {
  summary: 'Prints what a realm file would change in the live realm',
  usage: 'FILE [--production]',
  details: 'Changes nothing, masks secrets, and also works while the server runs.',
  examples: [
    'realm plan realms/demo.json',
    'realm plan realms/demo.json --production',
    'realm plan realms/demo.json --data-dir /var/lib/keyhost',
  ],
  options: [PRODUCTION],
  serverOptions: [...STORE_OPTIONS, ...CHECK_OPTIONS],
  notes: 'Exit code: 0 nothing would change, 1 the file has mistakes, 2 something would change',
  needsArguments: true,
  run: printPlans,
};

/** Sets the exit code 2 if anything would change. @throws BootError `store_failed` */
async function printPlans(line: CommandLine): Promise<void> {
  const { files, checks } = await checkedFile(line);
  const store = await openStoreForReading(line.server());
  const builtIns = new Set(checks.providers.filter(({ builtin }) => builtin).map(({ spi, id }) => `${spi}/${id}`));
  process.exitCode = 0;
  try {
    for (const file of files) if (await printPlan(file, store, builtIns)) process.exitCode = 2;
  } finally {
    await store?.close();
  }
}

/** @returns true if anything would change */
async function printPlan(
  file: CheckedFile,
  store: ReadableStore | undefined,
  builtIns: ReadonlySet<string>,
): Promise<boolean> {
  const { realm } = file.representation;
  const previous = await store?.realms.withDeclaration(realm);
  const describeOptions: DescribeOptions = {
    secrets: new Set(file.references.map(({ value }) => value)),
    onByDefault: (spi, id) => builtIns.has(`${spi}/${id}`),
  };
  const path = file.source.files[0]?.path ?? '';
  const report = await createReport(file, previous, store, describeOptions);
  const hasChanges = report.changes.length > 0;
  const version = previous === undefined ? '' : ` (version ${previous.version})`;
  print(`realm ${realm}${version}: ${path} would ${hasChanges ? 'change:' : 'change nothing'}`, report.changes);
  if (report.conflicts.length > 0) print('Edited, and also changed by the file; the file wins:', report.conflicts);
  if (report.edits.length > 0) print('Edits that are kept:', report.edits);
  return hasChanges;
}

interface Report {
  readonly changes: readonly string[];
  readonly conflicts: readonly string[];
  /** Edits that the file does not touch. */
  readonly edits: readonly string[];
}

async function createReport(
  file: CheckedFile,
  previous: StoredRealm | undefined,
  store: ReadableStore | undefined,
  describing: DescribeOptions,
): Promise<Report> {
  const describeAll = (changes: readonly Change[]) => changes.map((change) => describeChange(change, describing));
  const plan = await planFile(file, previous, store);
  return {
    changes: [
      ...(previous === undefined ? ['the realm is created'] : []),
      ...describeAll(plan.changes),
      ...plan.users.map(({ user }) => `user ${user.username} is created`),
      ...plan.keys.map(({ kid, algorithm }) => `the ${algorithm} key ${kid} is imported`),
    ],
    conflicts: plan.conflicts.map((conflict) => describeConflict(conflict, describing)),
    edits: describeAll(plan.edits),
  };
}

function print(title: string, lines: readonly string[]): void {
  process.stdout.write(`${[title, ...lines.map((line) => `  ${line}`)].join('\n')}\n`);
}
