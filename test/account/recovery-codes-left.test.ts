import test from 'ava';
import type { CredentialRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { accountRealm, accountUser, openAccount, PASSWORD } from '../helpers/account.js';
import { Browser } from '../helpers/form-browser.js';
import { fetchAnswer, inRealm } from '../helpers/host.js';
import { bearer, logIn } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, { realms: [] });

/** Twelve codes, of which this number is left. */
function codes(left: number): CredentialRepresentation {
  const all = Array.from({ length: 12 }, (_, index) => ({ number: index + 1, encodedHashedValue: 'x' }));
  return {
    type: 'recovery-authn-codes',
    userLabel: 'My codes',
    secretData: JSON.stringify({ codes: all.slice(12 - left) }),
    credentialData: JSON.stringify({ hashIterations: 1, algorithm: 'RS512', totalCodes: 12, remainingCodes: left }),
  };
}

const LEFT = [12, 5, 4, 3, 1];

/** The users who get a warning in Keycloak 26.7.3, by the policy and the action's `warning_threshold`. */
const MEASURED: readonly [policy: string, action: string | undefined, warned: readonly number[]][] = [
  ['', undefined, [3, 1]],
  ['recoveryCodesWarningThreshold', undefined, [3, 1]],
  ['recoveryCodesWarningThreshold(4)', undefined, [3, 1]],
  ['recoveryCodesWarningThreshold(0)', undefined, []],
  ['recoveryCodesWarningThreshold(-1)', undefined, []],
  ['recoveryCodesWarningThreshold(99)', undefined, [12, 5, 4, 3, 1]],
  ['', '6', [5, 4, 3, 1]],
  ['recoveryCodesWarningThreshold(2)', '6', [5, 4, 3, 1]],
  ['recoveryCodesWarningThreshold(9)', '3', [1]],
];

for (const [passwordPolicy, threshold, warned] of MEASURED) {
  test(`account page, recovery codes: the warning of few codes is as in Keycloak: ${passwordPolicy || 'no policy'}, action ${threshold}`, async (t) => {
    const changes: Partial<RealmRepresentation> = { passwordPolicy };
    if (threshold !== undefined) {
      const config = { warning_threshold: threshold };
      changes.requiredActions = [{ alias: 'CONFIGURE_RECOVERY_AUTHN_CODES', enabled: true, config }];
    }
    const users = LEFT.map((left) =>
      accountUser(`erin-${left}`, { credentials: [{ type: 'password', value: PASSWORD }, codes(left)] }),
    );
    const host = await inRealm(shared(), (name) => accountRealm(users, changes, name));
    for (const left of LEFT) {
      const who = { username: `erin-${left}`, password: PASSWORD };
      const headers = bearer((await logIn(host, who)).access_token);
      const { json } = await fetchAnswer(`${host.realm(host.defaultRealm)}/account/credentials`, { headers });
      const containers = json as unknown as { type: string; userCredentialMetadatas: { credential?: object }[] }[];
      const [shown] = containers.flatMap((one) => (one.type === 'password' ? [] : one.userCredentialMetadatas));
      const infoMessage = { key: 'recovery-codes-number-used', parameters: [`${12 - left}/12`] };
      const warning = {
        warningMessageTitle: { key: 'recovery-codes-number-remaining', parameters: [String(left)] },
        warningMessageDescription: { key: 'recovery-codes-generate-new-codes' },
      };
      const { credential: _, ...said } = shown ?? {};
      t.deepEqual(said, { infoMessage, ...(warned.includes(left) ? warning : {}) } as object, String(left));
    }
    const who = { username: 'erin-3', password: PASSWORD };
    const { text } = await openAccount(new Browser(), host, '/account-security/signing-in', who);
    t.regex(text, /Used recovery codes: 9\/12/);
    t.is(/Recovery codes left: 3\./.test(text), warned.includes(3));
  });
}
