import { HostError } from '@keyhost/spi';

const MAX_LENGTH = 8192;
/**
 * Allowed characters. Backslashes, spaces and control characters are excluded, since other code might interpret them
 * differently.
 */
const PATH = /^[\w.~!$&'()*+,;=:@%/-]*$/;

/**
 * Splits the URL of a plugin's request into path and query, and checks that the path stays within the realm.
 * @throws HostError `invalid_argument` if a segment of the path is empty or `..`, even if it is encoded
 */
export function requirePathWithinRealm(path: unknown): readonly [path: string, query: string] {
  if (typeof path !== 'string' || path.length > MAX_LENGTH) throw invalidPath('must be a text');
  const queryStart = path.indexOf('?');
  const [relativePath, query] = queryStart < 0 ? [path, ''] : [path.slice(0, queryStart), path.slice(queryStart + 1)];
  if (relativePath === '' || relativePath === '/') return ['', query];
  if (!PATH.test(relativePath) || !relativePath.startsWith('/'))
    throw invalidPath('must look like /users/{id}, with each part URL-encoded');
  for (const part of relativePath.slice(1).split('/')) {
    const names = decodeRepeatedly(part).split(/[/\\]/);
    if (part === '' || names.some((name) => name === '.' || name === '..'))
      throw invalidPath('must not leave the realm');
  }
  return [relativePath, query];
}

/** Decodes repeatedly, until nothing is encoded any more. */
function decodeRepeatedly(part: string): string {
  let text = part;
  for (let times = 0; times < 8; times += 1) {
    let decodedPart: string;
    try {
      decodedPart = decodeURIComponent(text);
    } catch {
      return text;
    }
    if (decodedPart === text) return text;
    text = decodedPart;
  }
  throw invalidPath('is encoded too often');
}

function invalidPath(problem: string): HostError {
  return new HostError('invalid_argument', `admin.request: the path ${problem}`);
}
