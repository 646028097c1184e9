import { WEB } from '../bench-realm.js';
import { HttpClient } from '../http-client.js';
import type { Server } from '../processes.js';
import { oidcOf } from '../rows/keyhost-targets.js';

const AT_ONCE = 16;
const LOGIN = { ...WEB, grant_type: 'password', username: 'alice', password: 'alice' };

/**
 * Begins sessions in a realm of the bench.
 * @param until the deadline, on the scale of `Date.now()`
 * @returns the number of sessions
 */
export async function beginSessions(server: Server, realm: string, count: number, until = Infinity): Promise<number> {
  const client = new HttpClient();
  let begun = 0;
  const logins = async () => {
    while (begun < count && Date.now() < until) {
      begun += 1;
      await client.ok(`${oidcOf(server, realm)}/token`, { form: LOGIN });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, logins));
  client.close();
  return begun;
}
