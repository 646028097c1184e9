import { badRequest } from './refusals.js';

const PAIR = /\s*(?:"([^"]+)"|([^\s":]+)):(?:"([^"]*)"|([^\s"]+))(?=\s|$)/y;

/**
 * Parses `q` in Keycloak's form: `key:value "key 2":"value 2"`.
 * @throws HostError 400 for another form
 */
export function attributesOf(q = ''): Readonly<Record<string, string>> {
  const found: [string, string][] = [];
  const text = q.trim();
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.length) {
    const pair = PAIR.exec(text);
    if (pair === null) throw badRequest('q must be of the form key:value');
    found.push([pair[1] ?? pair[2] ?? '', pair[3] ?? pair[4] ?? '']);
  }
  return Object.fromEntries(found);
}
