import { isDeepStrictEqual } from 'node:util';
import { adminCaller, administered } from '../helpers/admin.js';
import { startHost, TestClock } from '../helpers/host.js';
import { besideKeycloak, startKeycloak } from '../helpers/keycloak.js';
import type { AskAdmin } from '../helpers/realm-members.js';
import { MAPPER_TOGGLES } from './toggles/mappers.js';
import { POLICY_TOGGLES } from './toggles/policies.js';
import { type Toggle, toggleBase, toggledRealm } from './toggles/toggle.js';
import { TOKEN_TOGGLES } from './toggles/tokens.js';
import { USER_TOGGLES } from './toggles/users.js';

const TOGGLES: readonly Toggle[] = [...MAPPER_TOGGLES, ...TOKEN_TOGGLES, ...USER_TOGGLES, ...POLICY_TOGGLES];

/** The server's answers about each realm; the rejection of a realm is an answer, too. */
async function answers(url: string, admin: AskAdmin, { realms, ask }: Toggle): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const changes of realms) {
    const made = await admin('POST', '', toggleBase('toggled', changes));
    found.push(made.status === 201 ? await ask(toggledRealm(url, admin, 'toggled')) : { refused: made.text });
    await admin('DELETE', '/toggled');
  }
  // As JSON, which has no undefined.
  return JSON.parse(JSON.stringify(found)) as unknown[];
}

besideKeycloak(
  `settings beside Keycloak: ${TOGGLES.length} settings do what they do at a real Keycloak`,
  async (t, home) => {
    t.timeout(1_800_000);
    const keycloak = await startKeycloak(t, home);
    const host = await startHost(t, administered({ realms: [], clock: new TestClock(Date.now()) }));
    const call = await adminCaller(host);
    const here: AskAdmin = (method, path, body) => call(method, `/realms${path}`, body);
    const different: string[] = [];
    for (const toggle of TOGGLES) {
      const theirs = await answers(keycloak.url, keycloak.admin, toggle);
      const ours = await answers(host.url, here, toggle);
      for (const [index, answer] of theirs.entries()) {
        if (isDeepStrictEqual(answer, ours[index])) continue;
        const [there, own] = [answer, ours[index]].map((one) => JSON.stringify(one));
        different.push(`${toggle.setting} (${index}): ${there} there, ${own} here`);
      }
      const isToggled = theirs.length === 1 || theirs.some((answer) => !isDeepStrictEqual(answer, theirs[0]));
      if (!isToggled) different.push(`${toggle.setting}: every realm has the same answer`);
    }
    t.deepEqual(different, []);
  },
);
