import test from 'ava';
import type { CredentialRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, CALLBACK, codeRequest, formAction, type Visit } from '../helpers/form-browser.js';
import { inRealm } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';
import { flow, step } from '../helpers/weak-flows.js';

const shared = shareHost(test, { realms: [] });

const PASSWORD = { type: 'password', value: 'p' };
const OTP: CredentialRepresentation = {
  type: 'otp',
  secretData: JSON.stringify({ value: 'rkQ2mYqH1bX0c9ZpLw7T' }),
  credentialData: JSON.stringify({ subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' }),
};

const USERS: Readonly<Record<string, Partial<NonNullable<RealmRepresentation['users']>[number]>>> = {
  plain: {},
  bare: { credentials: [PASSWORD] },
  askip: { attributes: { otp: ['skip'] } },
  aboth: { attributes: { otp: ['skip', 'force'] } },
  aforce: { attributes: { otp: ['force'] }, realmRoles: ['skipper'] },
  aodd: { attributes: { otp: ['Skip'] } },
  rskip: { realmRoles: ['skipper', 'forcer'] },
  rforce: { realmRoles: ['forcer'] },
  cskip: { clientRoles: { web: ['sk'] } },
};

const ATTRIBUTE = { otpControlAttribute: 'otp' };
const SKIP = { defaultOtpOutcome: 'skip' };
const ROLES = { skipOtpRole: 'skipper', forceOtpRole: 'forcer' };
const skipFor = (noOtpRequiredForHeaderPattern: string) => ({ noOtpRequiredForHeaderPattern });

type Outcome = 'in' | 'asked' | 'sets up';
type Row = [
  config: Record<string, string>,
  outcomes: Readonly<Record<string, Outcome>>,
  headers?: Record<string, string>,
];

/** As Keycloak 26.7.3 answers, except for the invalid pattern, with which no login succeeds there. */
const ROWS: readonly Row[] = [
  [{}, { plain: 'asked', bare: 'sets up' }],
  [ATTRIBUTE, { askip: 'in', aboth: 'in', aforce: 'asked', aodd: 'asked', plain: 'asked' }],
  [
    { ...ATTRIBUTE, ...SKIP },
    { aforce: 'asked', aodd: 'in', plain: 'in', bare: 'in' },
  ],
  [
    { ...ROLES, ...SKIP },
    { rskip: 'in', rforce: 'asked', plain: 'in' },
  ],
  [
    { ...ATTRIBUTE, skipOtpRole: 'skipper' },
    { aforce: 'asked', rskip: 'in', rforce: 'asked' },
  ],
  [{ skipOtpRole: 'web.sk' }, { cskip: 'in', plain: 'asked' }],
  [{ skipOtpRole: 'nothere', forceOtpRole: 'neither', ...SKIP }, { plain: 'in' }],
  [skipFor('X-Net: (1|2)'), { plain: 'in' }, { 'x-net': '1' }],
  [skipFor('X-Net: (1|2)'), { plain: 'asked' }, { 'x-net': '12' }],
  [skipFor('Net: 1'), { plain: 'asked' }, { 'x-net': '1' }],
  [skipFor('X-Net: a.*B'), { plain: 'in' }, { 'x-net': 'AxxB' }],
  [skipFor('X-Net: a.*B'), { plain: 'asked' }],
  [skipFor('Authorization: x'), { plain: 'in' }, { authorization: 'x' }],
  [{ ...skipFor('('), ...SKIP }, { plain: 'asked' }, { 'x-net': '1' }],
  [{ forceOtpForHeaderPattern: 'X-Net: 1', ...SKIP }, { plain: 'asked', bare: 'sets up' }, { 'x-net': '1' }],
  [{ ...skipFor('X-Net: 1'), forceOtpForHeaderPattern: 'X-Net: 1' }, { plain: 'in' }, { 'x-net': '1' }],
  [SKIP, { plain: 'in', bare: 'in' }],
  [{ defaultOtpOutcome: 'force' }, { plain: 'asked', bare: 'sets up' }],
];

/** Each row is a client with a flow of its own. */
function realmOf(name: string): RealmRepresentation {
  const realm = codeRealm(name, { providers: {} });
  const form = (index: number) => step('auth-conditional-otp-form', 'REQUIRED', { authenticatorConfig: `c${index}` });
  return {
    ...realm,
    roles: { realm: [{ name: 'skipper' }, { name: 'forcer' }], client: { web: [{ name: 'sk' }] } },
    users: Object.entries(USERS).map(([username, more]) => ({
      username,
      enabled: true,
      email: `${username}@example.test`,
      emailVerified: true,
      firstName: 'A',
      lastName: 'B',
      credentials: [PASSWORD, OTP],
      ...more,
    })),
    groups: [],
    authenticationFlows: ROWS.flatMap((_, index) => [
      flow(`f${index}`, step('auth-username-password-form'), form(index)),
      flow(`g${index}`, step('direct-grant-validate-username'), step('direct-grant-validate-password'), form(index)),
    ]),
    authenticatorConfig: ROWS.map(([config], index) => ({ alias: `c${index}`, config })),
    clients: [
      ...(realm.clients ?? []),
      ...ROWS.map((_, index) => ({
        clientId: `row${index}`,
        publicClient: true,
        directAccessGrantsEnabled: true,
        redirectUris: [CALLBACK],
        authenticationFlowBindingOverrides: { browser: `f${index}`, direct_grant: `g${index}` },
      })),
    ],
  };
}

function outcomeOf({ location, text }: Visit): Outcome | undefined {
  if (location?.searchParams.has('code')) return 'in';
  if (/name="totp"/.test(text)) return 'sets up';
  return /name="otp"/.test(text) ? 'asked' : undefined;
}

test('conditional OTP form: attribute, role, header and default decide in this order', async (t) => {
  const host = await inRealm(shared(), realmOf);
  for (const [index, [config, outcomes, headers = {}]] of ROWS.entries()) {
    for (const [username, outcome] of Object.entries(outcomes)) {
      const what = JSON.stringify([config, username, headers]);
      const browser = new Browser();
      const page = await browser.open(codeRequest(host, { client_id: `row${index}` }).url);
      const body = new URLSearchParams({ username, password: 'p' });
      const answer = await browser.open(formAction(page), { method: 'POST', body, headers });
      t.is(outcomeOf(answer), outcome, what);
      const grant = { grant_type: 'password', client_id: `row${index}`, username, password: 'p' };
      const { status } = await host.token(host.defaultRealm, grant, headers);
      t.is(status, outcome === 'in' ? 200 : 400, `${what} by the password grant`);
    }
  }
});
