import type { CommandLine } from '../command-line.js';
import type { Questions } from './questions.js';

/**
 * Returns the realm in `--realm`, or the only one of the realm files. Otherwise asks a person to select one.
 * @param realms the realms of the realm files; empty if they are unknown
 * @throws BootError `options_invalid` in a script, with the names of the realms
 */
export async function promptForRealm(
  line: CommandLine,
  questions: Questions,
  realms: readonly string[],
): Promise<string> {
  const givenRealm = line.value('realm');
  if (givenRealm !== undefined) return givenRealm;
  const [first, ...otherRealms] = realms;
  if (first === undefined) return questions.text('realm', 'Realm');
  if (otherRealms.length === 0) return first;
  if (!questions.isAsking) return line.usageError('--realm is required', `use one of ${realms.join(', ')}`);
  const choices = realms.map((name) => ({ id: name, title: name }));
  return (await questions.choice('realm', 'Which realm?', choices)).id;
}

/**
 * Returns the realm in `--realm`, or the only one of the realm files. Otherwise asks a person to type a name, since a
 * server also has realms without a file, such as `master`.
 * @param realms the realms of the realm files
 * @throws BootError `options_invalid` with their names
 */
export async function promptForRealmName(
  line: CommandLine,
  questions: Questions,
  realms: readonly string[],
): Promise<string> {
  if (realms.length < 2 || line.value('realm') !== undefined) return promptForRealm(line, questions, realms);
  const names = `the realms folder has ${realms.join(', ')}`;
  return questions.isAsking
    ? questions.text('realm', `Realm (${names})`)
    : line.usageError('--realm is required', names);
}
