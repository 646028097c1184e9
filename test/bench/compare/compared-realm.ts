import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../keyhost.js';

/** The realm that Keyhost serves in a comparison, and that a Keycloak in the comparison imports. */
export const COMPARED_REALM = JSON.parse(readFileSync(join(ROOT, 'test/bench/compare/realm.json'), 'utf8')) as {
  readonly realm: string;
  readonly clients: [{ readonly clientId: string; readonly secret: string }];
  readonly users: [{ readonly username: string; readonly credentials: [{ readonly value: string }] }];
};
