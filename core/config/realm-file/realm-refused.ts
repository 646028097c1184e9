import { BootError } from '../boot-error.js';
import { byPlace, type Problem } from '../problem.js';

/**
 * Every problem in the order of the files and their lines.
 * @param unsafe what production alone does not take
 */
export function realmRefused(problems: readonly Problem[], unsafe: readonly Problem[] = []): BootError {
  const all = [...problems, ...unsafe].sort(byPlace);
  const isOne = new Set(all.map(({ file }) => file)).size === 1;
  if (problems.length === 0 && unsafe.length > 0) {
    const message = `${isOne ? 'the realm file is' : 'the realm files are'} not safe for production`;
    const hint =
      'set the variables, allow providers without authentication in --allow-open-providers, and remove settings that are not supported';
    return new BootError('production_unsafe', message, { problems: all, hint });
  }
  const count = all.length === 1 ? 'a mistake' : `${all.length} mistakes`;
  return new BootError('realm_invalid', `the realm ${isOne ? 'file has' : 'files have'} ${count}`, { problems: all });
}
