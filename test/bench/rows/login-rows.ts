import { ALICE_PASSWORD, WEB } from '../bench-realm.js';
import type { CodePlan } from '../code-flow-load.js';
import { times } from '../figure.js';
import type { Server } from '../processes.js';
import { keyhost, oidcOf } from './keyhost-targets.js';
import type { Row, Target } from './row.js';

const REDIRECT_URI = 'http://127.0.0.1/cb';
const REQUEST = {
  client_id: 'web',
  redirect_uri: REDIRECT_URI,
  response_type: 'code',
  scope: 'openid',
  state: 's',
  nonce: 'n',
};

/** The code flow, from the authorization request to the tokens. */
export function loginRows(): Row[] {
  const provider = (kept: boolean): Target => ({
    server: (servers) => servers.oidcProvider('RS256'),
    work: ({ url }) => ({ url: '', code: codePlan(`${url}/auth`, `${url}/token`, kept) }),
  });
  const row = (name: string, kept: boolean): Row => ({
    name,
    goals: [times(0.5)],
    peer: 'oidc-provider',
    ours: codeFlow('rs', kept),
    theirs: provider(kept),
  });
  return [
    row('code flow: login without hashing', false),
    row('code flow: in a kept session', true),
    {
      name: 'code flow: login with argon2',
      goals: [times(1.1)],
      peer: 'argon2 alone',
      ours: codeFlow('logins', false),
      theirs: { server: (servers) => servers.argon2(), work: ({ url }) => ({ url }) },
    },
  ];
}

function codeFlow(realm: string, kept: boolean): Target {
  return { server: keyhost, work: (server) => ({ url: '', code: keyhostCodePlan(server, realm, kept) }) };
}

/** @param kept false if each login uses a new browser */
export function keyhostCodePlan(server: Server, realm: string, kept: boolean): CodePlan {
  const oidc = oidcOf(server, realm);
  return codePlan(`${oidc}/auth`, `${oidc}/token`, kept);
}

function codePlan(authorize: string, token: string, kept: boolean): CodePlan {
  const login = { username: 'alice', password: ALICE_PASSWORD };
  const query = new URLSearchParams(REQUEST);
  return { authorize: `${authorize}?${query}`, redirectUri: REDIRECT_URI, login, token, client: WEB, kept };
}
