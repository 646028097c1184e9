import { CC, EXCHANGE, WEB } from '../bench-realm.js';
import { atMost, times } from '../figure.js';
import type { Server } from '../processes.js';
import { keyhost, link, oidcOf, ownTokens, post } from './keyhost-targets.js';
import { CONNECTIONS, type Row, type Target } from './row.js';

/** Requests without a browser. */
export function tokenRows(): Row[] {
  return [
    machineRow('client_credentials RS256', 'rs', 'RS256', 1.1),
    machineRow('client_credentials ES256', 'es', 'ES256', 1.25),
    machineRow('client_credentials RS256, events on', 'events-rs', 'RS256', 1.5),
    machineRow('client_credentials ES256, events on', 'events-es', 'ES256', 1.5),
    refreshRow('refresh RS256', 'rs', 'RS256', 0.6),
    refreshRow('refresh ES256', 'es', 'ES256', 0.45),
    {
      name: 'introspection',
      goals: [times(0.5), atMost(200)],
      peer: 'oidc-provider',
      ours: introspection(keyhost, (server) => {
        const token = `${oidcOf(server, 'rs')}/token`;
        return { token, introspect: `${token}/introspect` };
      }),
      theirs: introspection(
        (servers) => servers.opaqueProvider(),
        ({ url }) => ({ token: `${url}/token`, introspect: `${url}/token/introspection` }),
      ),
    },
    {
      name: 'token exchange',
      goals: [times(1.3)],
      peer: 'own client_credentials',
      ours: { server: keyhost, work: (server) => ({ url: `${oidcOf(server, 'rs')}/token`, form: EXCHANGE }) },
      theirs: ownTokens('rs'),
    },
    {
      name: 'action token: generate and follow',
      goals: [times(1.3)],
      peer: 'two of own client_credentials',
      ours: link(keyhost),
      theirs: ownTokens('rs'),
      theirUnits: 2,
    },
  ];
}

function machineRow(name: string, realm: string, alg: string, most: number): Row {
  const theirs: Target = {
    server: (servers) => servers.ceiling(),
    work: ({ url }) => ({ url: `${url}/${alg}`, form: CC }),
  };
  return { name, goals: [times(most)], peer: 'Koa ceiling', ours: ownTokens(realm), theirs };
}

function refreshRow(name: string, realm: string, alg: 'RS256' | 'ES256', most: number): Row {
  const form = { ...WEB, grant_type: 'refresh_token' };
  const chains = (first: () => Promise<string>) => Promise.all(Array.from({ length: CONNECTIONS }, first));
  const login = { ...WEB, grant_type: 'password', username: 'alice', password: 'alice', scope: 'openid' };
  const ours: Target = {
    server: keyhost,
    async work(server) {
      const url = `${oidcOf(server, realm)}/token`;
      return { url, form, chains: await chains(async () => (await post(url, login)).refresh_token ?? '') };
    },
  };
  const theirs: Target = {
    server: (servers) => servers.oidcProvider(alg),
    work: async ({ url }) => ({
      url: `${url}/token`,
      form,
      chains: await chains(async () => (await fetch(`${url}/seed`)).text()),
    }),
  };
  return { name, goals: [times(most)], peer: 'oidc-provider', ours, theirs };
}

function introspection(
  server: Target['server'],
  places: (server: Server) => { token: string; introspect: string },
): Target {
  const { client_id, client_secret } = CC;
  return {
    server,
    async work(one) {
      const { token, introspect } = places(one);
      const { access_token = '' } = await post(token, CC);
      return { url: introspect, form: { client_id, client_secret, token: access_token } };
    },
  };
}
