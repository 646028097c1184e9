import test from 'ava';
import type { FlowRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, CALLBACK, codeRequest, signIn } from '../helpers/form-browser.js';
import { inRealm } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';
import { flow, inner, step } from '../helpers/weak-flows.js';

const shared = shareHost(test, { realms: [] });

const FORM = step('auth-username-password-form');
const ALLOW = step('allow-access-authenticator');
const check = (alias: string) => inner(alias, 'CONDITIONAL');
const role = (authenticatorConfig: string) => step('conditional-user-role', 'REQUIRED', { authenticatorConfig });

/** Flows with the sub-flow `s`, and one that denies access if the condition is met. */
const SHAPES: Readonly<Record<string, (c: string) => FlowRepresentation[]>> = {
  required: (c) => [flow(`${c} own`, inner(`${c} s`), check(`${c} check`)), flow(`${c} s`, FORM)],
  met: (c) => [
    flow(`${c} own`, FORM, inner(`${c} s`, 'CONDITIONAL'), check(`${c} check`)),
    flow(`${c} s`, role('not role'), ALLOW),
  ],
  unmet: (c) => [
    flow(`${c} own`, FORM, inner(`${c} s`, 'CONDITIONAL'), check(`${c} check`)),
    flow(`${c} s`, role('role'), ALLOW),
  ],
  missing: (c) => [flow(`${c} own`, FORM, check(`${c} check`))],
  later: (c) => [flow(`${c} own`, FORM, check(`${c} check`), inner(`${c} s`)), flow(`${c} s`, ALLOW)],
  disabled: (c) => [flow(`${c} own`, FORM, inner(`${c} s`, 'DISABLED'), check(`${c} check`)), flow(`${c} s`, ALLOW)],
  nested: (c) => [
    flow(`${c} own`, inner(`${c} outer`), check(`${c} check`)),
    flow(`${c} outer`, inner(`${c} s`)),
    flow(`${c} s`, FORM),
  ],
  'under way': (c) => [flow(`${c} own`, inner(`${c} s`)), flow(`${c} s`, FORM, check(`${c} check`))],
  taken: (c) => [
    flow(`${c} own`, inner(`${c} outer`), check(`${c} check`)),
    flow(`${c} outer`, inner(`${c} s`, 'ALTERNATIVE'), inner(`${c} t`, 'ALTERNATIVE')),
    flow(`${c} s`, FORM),
    flow(`${c} t`, step('webauthn-authenticator-passwordless')),
  ],
  'not taken': (c) => [
    flow(`${c} own`, inner(`${c} outer`), check(`${c} check`)),
    flow(`${c} outer`, inner(`${c} t`, 'ALTERNATIVE'), inner(`${c} s`, 'ALTERNATIVE')),
    flow(`${c} t`, FORM),
    flow(`${c} s`, step('webauthn-authenticator-passwordless')),
  ],
};

/** As a Keycloak 26.7.3 answers: the condition is met, and access is denied. */
const ROWS: readonly [shape: string, result: string, met: boolean][] = [
  ['required', 'executed', true],
  ['required', 'not-executed', false],
  ['met', 'executed', true],
  ['met', 'not-executed', false],
  ['unmet', 'executed', false],
  ['unmet', 'not-executed', true],
  ['missing', 'executed', false],
  ['missing', 'not-executed', true],
  ['later', 'executed', false],
  ['later', 'not-executed', true],
  ['disabled', 'executed', false],
  ['nested', 'executed', true],
  ['under way', 'executed', false],
  ['taken', 'executed', true],
  ['not taken', 'executed', false],
];

function realmOf(name: string): RealmRepresentation {
  const realm = codeRealm(name, { providers: {} });
  const condition = (c: string) => step('conditional-sub-flow-executed', 'REQUIRED', { authenticatorConfig: c });
  const configs = ROWS.map(([, result], index) => ({
    alias: `r${index}`,
    config: { flow_to_check: `r${index} s`, check_result: result },
  }));
  return {
    ...realm,
    authenticationFlows: ROWS.flatMap(([shape], index) => [
      ...(SHAPES[shape]?.(`r${index}`) ?? []),
      flow(`r${index} check`, condition(`r${index}`), step('deny-access-authenticator')),
    ]),
    authenticatorConfig: [
      ...configs,
      { alias: 'role', config: { condUserRole: 'nobodys' } },
      { alias: 'not role', config: { condUserRole: 'nobodys', negate: 'true' } },
    ],
    clients: [
      ...(realm.clients ?? []),
      ...ROWS.map((_, index) => ({
        clientId: `row${index}`,
        publicClient: true,
        redirectUris: [CALLBACK],
        authenticationFlowBindingOverrides: { browser: `r${index} own` },
      })),
    ],
  };
}

test('condition sub-flow executed: a condition knows whether the login has passed a sub-flow', async (t) => {
  const host = await inRealm(shared(), realmOf);
  for (const [index, [shape, result, met]] of ROWS.entries()) {
    const page = await signIn(new Browser(), codeRequest(host, { client_id: `row${index}` }).url);
    t.is(page.location?.searchParams.has('code') ?? false, !met, `${shape}, ${result}`);
    if (met) t.regex(page.text, /Access denied/, `${shape}, ${result}`);
  }
});
