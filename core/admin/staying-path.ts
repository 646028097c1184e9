import { HostError } from '@keyhost/spi';

const LONGEST = 8192;
/** What a path may have: no backslash, blank or control character, which somebody could read as something else. */
const PATH = /^[\w.~!$&'()*+,;=:@%/-]*$/;

/**
 * The path and the query of what a plugin asks for within its realm.
 * @throws HostError `invalid_argument` where a part of the path is empty, or is or hides one that leads up
 */
export function requireStaying(path: unknown): readonly [path: string, query: string] {
  if (typeof path !== 'string' || path.length > LONGEST) throw refused('must be a text');
  const at = path.indexOf('?');
  const [below, query] = at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)];
  if (below === '' || below === '/') return ['', query];
  if (!PATH.test(below) || !below.startsWith('/'))
    throw refused('must look like /users/{id}, with each part URL-encoded');
  for (const part of below.slice(1).split('/')) {
    const names = decodedWholly(part).split(/[/\\]/);
    if (part === '' || names.some((name) => name === '.' || name === '..')) throw refused('must not leave the realm');
  }
  return [below, query];
}

/** However often it was encoded. */
function decodedWholly(part: string): string {
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
