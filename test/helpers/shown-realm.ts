import { readFile } from 'node:fs/promises';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { type CodeRequest, codeRequest } from './form-browser.js';
import type { TestHost } from './host.js';
import { ROOT } from './readme-blocks.js';

/** Where the application of these realms is. */
const APP = 'http://127.0.0.1:3000/cb';

/** The realm file by which a package of `providers` shows itself: its application is `app`, its user is `ada`. */
export async function shownRealm(name: string): Promise<RealmRepresentation> {
  return JSON.parse(await readFile(`${ROOT}/providers/${name}/realm.json`, 'utf8'));
}

/** A login of its application. `changes` replace or (undefined) take out parameters. */
export function shownLogin(
  host: TestHost,
  name: string,
  changes: Record<string, string | undefined> = {},
): CodeRequest {
  return codeRequest(host, { client_id: 'app', redirect_uri: APP, ...changes }, name);
}
