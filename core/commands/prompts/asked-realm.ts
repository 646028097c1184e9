import type { CommandLine } from '../command-line.js';
import type { Questions } from './questions.js';

/**
 * The realm that `--realm` names, the only one that there is, or the one that a person selects.
 * @param known names of the realms; empty where nobody knows them
 * @throws BootError `options_invalid`, which names them
 */
export async function askedRealm(line: CommandLine, questions: Questions, known: readonly string[]): Promise<string> {
  const given = line.value('realm');
  if (given !== undefined) return given;
  const [first, ...more] = known;
  if (first === undefined) return questions.text('realm', 'Realm');
  if (more.length === 0) return first;
  if (!questions.isAsking) return line.misused('--realm is required', `use one of ${known.join(', ')}`);
  const choices = known.map((name) => ({ id: name, title: name }));
  return (await questions.choice('realm', 'Which realm?', choices)).id;
}
