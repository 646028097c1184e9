import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { ALICE_LOGIN, WEB } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';

type Settings = Partial<RealmRepresentation>;
type Shown = [duplicate: boolean, login: boolean, asUsername: boolean];

/** Recorded from Keycloak 26.7.3: successive changes of a realm, and the settings after each of them. */
const STEPS: readonly (readonly [said: Settings, shown: Shown])[][] = [
  [[{ duplicateEmailsAllowed: true, loginWithEmailAllowed: true }, [true, false, false]]],
  [[{ duplicateEmailsAllowed: true }, [true, false, false]]],
  [[{ duplicateEmailsAllowed: true, registrationEmailAsUsername: true }, [true, false, false]]],
  [[{ registrationEmailAsUsername: true, loginWithEmailAllowed: false }, [false, false, true]]],
  [
    [{ loginWithEmailAllowed: false }, [false, false, false]],
    [{ duplicateEmailsAllowed: true }, [true, false, false]],
    [{ displayName: 'x' }, [true, false, false]],
    [{ loginWithEmailAllowed: true }, [false, true, false]],
  ],
  [
    [{ loginWithEmailAllowed: false, duplicateEmailsAllowed: true }, [true, false, false]],
    [{ registrationEmailAsUsername: true }, [false, false, true]],
    [{ duplicateEmailsAllowed: true, loginWithEmailAllowed: true }, [true, false, false]],
  ],
];

test('email settings: duplicate emails and settings that need unique addresses exclude each other, as in Keycloak', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo', { duplicateEmailsAllowed: true })] });
  const call = await adminCaller(host);
  const shown = async (realm: string): Promise<Shown> => {
    const { json } = await call('GET', `/realms/${realm}`);
    const { duplicateEmailsAllowed, loginWithEmailAllowed, registrationEmailAsUsername } = json;
    return [duplicateEmailsAllowed, loginWithEmailAllowed, registrationEmailAsUsername];
  };
  for (const [index, steps] of STEPS.entries()) {
    const created = `created-${index}`;
    const changed = `changed-${index}`;
    await call('POST', '/realms', { realm: changed, enabled: true });
    for (const [at, [said, then]] of steps.entries()) {
      if (at === 0) {
        t.is((await call('POST', '/realms', { realm: created, enabled: true, ...said })).status, 201);
        t.deepEqual(await shown(created), then, `POST ${JSON.stringify(said)}`);
      }
      t.is((await call('PUT', `/realms/${changed}`, said)).status, 204);
      t.deepEqual(await shown(changed), then, `PUT ${JSON.stringify(said)}`);
    }
  }
  t.deepEqual(await shown('demo'), [true, false, false]);
  const byEmail = await host.token('demo', { ...WEB, ...ALICE_LOGIN, username: 'alice@example.test' });
  t.like(byEmail.json, { error: 'invalid_grant' }, 'an address that several can have says who nobody is');
});
