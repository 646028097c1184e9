import type { RealmRepresentation } from '../../core/model/representation.js';
import { CALLBACK } from './form-browser.js';
import { testRealm } from './realms.js';

export const TWO = 'http://127.0.0.1:9999/two';

/** The test realm with a client for every type of redirect URI. `changes` replaces top-level keys. */
export function codeRealm(name: string, changes: Partial<RealmRepresentation> = {}): RealmRepresentation {
  const realm = testRealm(name, changes);
  const more: RealmRepresentation['clients'] = [
    { clientId: 'one', publicClient: true, redirectUris: [CALLBACK] },
    { clientId: 'native', publicClient: true, redirectUris: ['http://127.0.0.1/cb'] },
    { clientId: 'app', publicClient: true, redirectUris: ['http://127.0.0.1:9997/app/*'] },
    {
      clientId: 'plain',
      publicClient: true,
      redirectUris: ['http://127.0.0.1:9997/app/*'],
      attributes: { 'keyhost.redirect.fragments': 'false', 'post.logout.redirect.uris': '+' },
    },
    { clientId: 'asks', publicClient: true, consentRequired: true, redirectUris: [CALLBACK], name: 'Asks <b>you</b>' },
  ];
  const clients = (realm.clients ?? []).map((client) => {
    if (client.clientId === 'web') return { ...client, redirectUris: [CALLBACK, `${CALLBACK}2?x=1`] };
    return client.clientId === 'web2' ? { ...client, redirectUris: [TWO] } : client;
  });
  return { ...realm, clients: [...clients, ...more] };
}
