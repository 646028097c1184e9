import { HostError } from '@keyhost/spi';

const MAX_LENGTH = 8192;
/**
 * Allowed characters. Backslashes, spaces and control characters are excluded, since other code might interpret them
 * differently.
 */
const PATH = /^[\w.~!$&'()*+,;=:@%/-]*$/;

/**
 * Splits what a plugin requests into path and query, and makes sure that the path stays within the realm.
 * @throws HostError `invalid_argument` if a part of the path is empty, or is or hides a `..`
 */
export function requirePathWithinRealm(path: unknown): readonly [path: string, query: string] {
  if (typeof path !== 'string' || path.length > MAX_LENGTH) throw refused('must be a text');
  const at = path.indexOf('?');
  const [below, query] = at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)];
  if (below === '' || below === '/') return ['', query];
  if (!PATH.test(below) || !below.startsWith('/'))
    throw refused('must look like /users/{id}, with each part URL-encoded');
  for (const part of below.slice(1).split('/')) {
    const names = decodeRepeatedly(part).split(/[/\\]/);
    if (part === '' || names.some((name) => name === '.' || name === '..')) throw refused('must not leave the realm');
  }
  return [below, query];
}

/** Decodes repeatedly, until nothing is encoded any more. */
function decodeRepeatedly(part: string): string {
  let text = part;
  for (let times = 0; times < 8; times += 1) {
    let decoded: string;
    try {
      decoded = decodeURIComponent(text);
    } catch {
      return text;
    }
    if (decoded === text) return text;
    text = decoded;
  }
  throw refused('is encoded too often');
}

function refused(what: string): HostError {
  return new HostError('invalid_argument', `admin.request: the path ${what}`);
}
