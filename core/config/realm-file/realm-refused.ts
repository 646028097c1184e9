import { BootError } from '../boot-error.js';
import { byPosition, type Problem } from '../problem.js';

/**
 * An error with every problem, sorted by file and line. Its code is `production_unsafe` if all problems are in
 * `unsafe`.
 * @param unsafe problems that only production rejects
 */
export function realmRefused(problems: readonly Problem[], unsafe: readonly Problem[] = []): BootError {
  const all = [...problems, ...unsafe].sort(byPosition);
  const isOneFile = new Set(all.map(({ file }) => file)).size === 1;
  if (problems.length === 0 && unsafe.length > 0) {
    const message = `${isOneFile ? 'the realm file is' : 'the realm files are'} not safe for production`;
    const hint =
      'set the variables, allow providers without authentication in --allow-open-providers, and remove settings that are not supported';
    return new BootError('production_unsafe', message, { problems: all, hint });
  }
  const count = all.length === 1 ? 'a mistake' : `${all.length} mistakes`;
  return new BootError('realm_invalid', `the realm ${isOneFile ? 'file has' : 'files have'} ${count}`, {
    problems: all,
  });
}
