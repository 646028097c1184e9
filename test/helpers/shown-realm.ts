import { readFile } from 'node:fs/promises';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { type CodeRequest, codeRequest } from './form-browser.js';
import type { TestHost } from './host.js';
import { ROOT } from './readme-blocks.js';

/** The redirect URI of these realms' application. */
const APP = 'http://127.0.0.1:3000/cb';

/**
 * The realm file with which a package of `providers` demonstrates itself: its application is `app`, its user is `ada`.
 */
export async function shownRealm(name: string): Promise<RealmRepresentation> {
  return JSON.parse(await readFile(`${ROOT}/providers/${name}/realm.json`, 'utf8'));
}

/** A login to its application. `changes` replace parameters or remove them (undefined). */
export function shownLogin(
  host: TestHost,
  name: string,
  changes: Record<string, string | undefined> = {},
): CodeRequest {
  return codeRequest(host, { client_id: 'app', redirect_uri: APP, ...changes }, name);
}
