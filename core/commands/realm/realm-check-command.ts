import { stat } from 'node:fs/promises';
import { BootError } from '../../config/boot-error.js';
import { byPosition, formatProblem, type Problem } from '../../config/problem.js';
import {
  findRealmFiles,
  isSchemaName,
  type RealmFileGroup,
  realmFilesOf,
} from '../../config/realm-file/realm-folder.js';
import { type CheckedFile, readCheckedFiles } from '../../realm-files/checked-file.js';
import { RealmIds } from '../../realm-files/realm-ids.js';
import type { Command } from '../command.js';
import type { CommandLine } from '../command-line.js';
import { CHECK_OPTIONS, checksOf, PRODUCTION } from './file-checks.js';

export const check: Command = {
  summary: 'Prints every mistake of realm files, with file, line and column',
  usage: 'FILE… [--production] [--all]',
  details: `A folder stands for the realm files in it. [warning] marks a setting that Keyhost does not support.
[hint] marks a value that is read as something else, such as "300" as a number. Of a realm that Keycloak exported, hints are
counted. Requires no server and no store.`,
  examples: ['realm check realms', 'realm check realms/demo.json realms/shop.json', 'realm check realms --production'],
  options: [PRODUCTION, { flag: 'all', help: 'prints the hints of realms that Keycloak exported, too' }],
  serverOptions: CHECK_OPTIONS,
  notes: 'Exit code: 0 no mistakes, 1 mistakes',
  needsArguments: true,
  run: checkFiles,
};

/** Sets the exit code. @throws BootError */
async function checkFiles(line: CommandLine): Promise<void> {
  const paths = line.words;
  if (paths.length === 0) line.usageError('FILE is required');
  const checks = await checksOf(line);
  const problems: Problem[] = [];
  const validFiles: CheckedFile[] = [];
  const seenPaths = new Set<string>();
  for (const path of paths) {
    // A pattern such as `realms/**/*.json` also matches schemas, which are skipped.
    if (isSchemaName(path)) continue;
    for (const group of await groupsOf(path)) {
      if (seenPaths.has(group.main.path)) continue;
      seenPaths.add(group.main.path);
      const file = await readCheckedFiles(group, checks, { hints: true });
      validFiles.push(...file.accepted);
      problems.push(...file.refused.flatMap(({ error }) => error.problems));
    }
  }
  if (validFiles.length + problems.length === 0) {
    const hint = 'realm files end in .json';
    throw new BootError('realm_invalid', `no realm file found in ${paths.join(', ')}`, { hint });
  }
  const repeated = repeatedRealms(validFiles);
  problems.push(...repeated.values());
  // Values in an export are read as Keycloak reads them, so its reader has nothing to do about them.
  const isCounted = (file: CheckedFile) => file.representation.keycloakVersion !== undefined && !line.has('all');
  const markedLines = (all: readonly Problem[], mark: string) =>
    all.map((problem) => ({ ...problem, message: `${problem.message} [${mark}]` }));
  const remarks = validFiles.flatMap((file) => [
    ...(isCounted(file) ? [] : markedLines(file.hints, 'hint')),
    ...markedLines(file.warnings, 'warning'),
  ]);
  for (const remark of remarks.sort(byPosition)) process.stdout.write(`${formatProblem(remark)}\n`);
  for (const problem of problems.sort(byPosition)) process.stdout.write(`${formatProblem(problem)}\n`);
  for (const file of validFiles) {
    const path = file.source.files[0]?.path ?? '';
    const { realm } = file.representation;
    if (isCounted(file) && file.hints.length > 0) {
      const values = file.hints.length === 1 ? 'value is' : 'values are';
      process.stdout.write(`${path}: ${file.hints.length} ${values} read as Keycloak reads them (--all prints them)\n`);
    }
    if (!repeated.has(file)) process.stdout.write(`${path}: realm ${realm} has no mistakes\n`);
  }
  process.exitCode = problems.length > 0 ? 1 : 0;
}

async function groupsOf(path: string): Promise<readonly RealmFileGroup[]> {
  const isFolder = await stat(path).then(
    (state) => state.isDirectory(),
    () => false,
  );
  return isFolder ? findRealmFiles(path) : [await realmFilesOf(path)];
}

/** The problems of files whose realm, or the ID of whose realm, an earlier file defines, too. */
function repeatedRealms(files: readonly CheckedFile[]): ReadonlyMap<CheckedFile, Problem> {
  const ids = new RealmIds();
  const owners = new Map<string, string>();
  const repeated = new Map<CheckedFile, Problem>();
  for (const one of files) {
    const { realm } = one.representation;
    const file = one.source.files[0]?.path ?? '';
    const owner = owners.get(realm);
    const message = `the realm "${realm}" is also in ${owner}`;
    const sameId = owner === undefined ? ids.claim(one) : undefined;
    if (owner === undefined) owners.set(realm, file);
    else repeated.set(one, { file, ...one.namePosition, path: 'realm', message });
    if (sameId !== undefined) repeated.set(one, sameId);
  }
  return repeated;
}
