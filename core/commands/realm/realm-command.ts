import { stat } from 'node:fs/promises';
import { BootError } from '../../config/boot-error.js';
import { type HostOptions, parseOptions } from '../../config/options/options.js';
import { byPlace, formatProblem, type Problem } from '../../config/problem.js';
import {
  findRealmFiles,
  isSchemaName,
  type RealmFileGroup,
  realmFilesOf,
} from '../../config/realm-file/realm-folder.js';
import { knownPlugins } from '../../host/known-plugins.js';
import {
  type CheckedFile,
  type FileChecks,
  readCheckedFiles,
  readFlawlessFiles,
} from '../../realm-files/checked-file.js';
import { explained, misused, separate, take, takeFlag } from '../command-line.js';
import { applyCommand } from './realm-apply-command.js';
import { exportCommand } from './realm-export-command.js';
import { planCommand } from './realm-plan-command.js';

const HELP = `keyhost realm: realm files, and what they make of live realms

  keyhost realm check FILE… [--production]
      Reads and checks realm files; a folder stands for the files in it. Prints every mistake of all of them as
      file:line:column, as a [warning] what a realm promises and Keyhost does not do, and as a [hint] what is read as
      something else, such as "300" as a number. Needs plugins.json and the providers folder, and no host and no store.
      Exit code: 0 no mistakes, 1 mistakes.

  keyhost realm plan FILE [--production]
      Prints what the file would change in the live realm, or in those of its list, by name, secrets masked. Changes
      nothing, and works beside a running host.
      Exit code: 0 nothing would change, 1 the file has mistakes, 2 something would change.

  keyhost realm apply FILE [--production]
      Makes the file the live realm while no host runs. A running host applies what is put into its realms folder.
      Exit code: 0 it is applied, 1 it is not.

  keyhost realm export NAME [--file FILE] [--users] [--secrets] [--for-keycloak]
      Prints the live realm as a realm file that makes the same realm again, in an order that stays; works beside a
      running host. --users: with its users. --secrets: with the secrets of clients, of providers and of users. Private
      keys are never part of it. --for-keycloak: as Keycloak imports it, with users, their hashes and all secrets;
      what is Keyhost's own is left out and told on standard error.
      Exit code: 0 it is exported, 1 it is not.

  --production checks as \`keyhost start\` does: no default of a reference, no provider open to everybody, no promise
  that is not kept.
  The places are those of the host: --data-dir, --realms-dir, --providers-dir, --plugins-file; keyhost --help.
`;

type Environment = Readonly<Record<string, string | undefined>>;

/** `keyhost realm check|plan|apply|export`. Sets the exit code. @throws BootError */
export async function realmCommand(argv: readonly string[], env: Environment): Promise<void> {
  if (explained(argv, HELP)) return;
  const [action, ...rest] = argv;
  const { words, options } = separate(rest, ['--production', '--users', '--secrets', '--for-keycloak'], ['--file']);
  if (action === 'export') {
    const [file, users, secrets] = [take(words, '--file'), takeFlag(words, '--users'), takeFlag(words, '--secrets')];
    const keycloak = takeFlag(words, '--for-keycloak');
    const realm = only(words, 'export takes the name of one realm', 'keyhost realm export demo --file demo.json');
    return exportCommand(parseOptions(options, env, 'start-dev'), { realm, file, users, secrets, keycloak });
  }
  const production = takeFlag(words, '--production');
  const host = parseOptions(options, env, 'start-dev');
  if (action === 'check') {
    if (words.length === 0) misused('check takes realm files', 'keyhost realm check realms/*.json');
    return checkCommand(words, await checksOf(host, env, production));
  }
  if (action !== 'plan' && action !== 'apply') {
    misused(`there is no command "realm ${action}"`, 'it is check, plan, apply or export: keyhost realm --help');
  }
  const path = only(words, `${action} takes one realm file`, `keyhost realm ${action} realms/demo.json`);
  const checks = await checksOf(host, env, production);
  const files = await readFlawlessFiles(await realmFilesOf(path), checks);
  return action === 'plan' ? planCommand(host, files, checks.providers) : applyCommand(host, files);
}

async function checksOf(options: HostOptions, env: Environment, production: boolean): Promise<FileChecks> {
  const { providers, someLeftOut } = await knownPlugins(options, env);
  return { env, providers, someLeftOut, production: production ? options : undefined };
}

async function checkCommand(paths: readonly string[], checks: FileChecks): Promise<void> {
  const problems: Problem[] = [];
  const good: CheckedFile[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    // What a pattern such as `realms/**/*.json` brings along.
    if (isSchemaName(path)) continue;
    for (const group of await groupsOf(path)) {
      if (seen.has(group.main.path)) continue;
      seen.add(group.main.path);
      const file = await readCheckedFiles(group, checks, { hints: true });
      good.push(...file.good);
      problems.push(...file.refused.flatMap(({ error }) => error.problems));
    }
  }
  if (good.length + problems.length === 0) {
    const hint = 'realm files end in .json';
    throw new BootError('realm_invalid', `there is no realm file in ${paths.join(', ')}`, { hint });
  }
  const repeated = repeatedRealms(good);
  problems.push(...repeated.values());
  const marked = (all: readonly Problem[], mark: string) =>
    all.map((problem) => ({ ...problem, message: `${problem.message} [${mark}]` }));
  const remarks = good.flatMap(({ hints, warnings }) => [...marked(hints, 'hint'), ...marked(warnings, 'warning')]);
  for (const remark of remarks.sort(byPlace)) process.stdout.write(`${formatProblem(remark)}\n`);
  for (const problem of problems.sort(byPlace)) process.stdout.write(`${formatProblem(problem)}\n`);
  for (const file of good) {
    const path = file.source.files[0]?.path ?? '';
    if (!repeated.has(file)) process.stdout.write(`${path}: realm ${file.representation.realm} has no mistakes\n`);
  }
  process.exitCode = problems.length > 0 ? 1 : 0;
}

async function groupsOf(path: string): Promise<readonly RealmFileGroup[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? findRealmFiles(path) : [await realmFilesOf(path)];
}

/** Those of realms that another file has too. */
function repeatedRealms(files: readonly CheckedFile[]): ReadonlyMap<CheckedFile, Problem> {
  const owners = new Map<string, string>();
  const repeated = new Map<CheckedFile, Problem>();
  for (const one of files) {
    const { realm } = one.representation;
    const file = one.source.files[0]?.path ?? '';
    const owner = owners.get(realm);
    const message = `the realm "${realm}" is also in ${owner}`;
    if (owner === undefined) owners.set(realm, file);
    else repeated.set(one, { file, ...one.nameAt, path: 'realm', message });
  }
  return repeated;
}

function only(words: readonly string[], message: string, hint: string): string {
  const [word, another] = words;
  if (word === undefined || another !== undefined) return misused(message, hint);
  return word;
}
