import test from 'ava';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { fetchAnswer } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';
import { ORIGINS_TABLE, POST_LOGOUT_TABLE, REDIRECT_TABLE } from './redirect-table.js';

const realm = testRealm('demo');
const rooted = (root: string | undefined) => (root === undefined ? {} : { rootUrl: root });
const clients = [
  ...REDIRECT_TABLE.map(({ registered, root }, index) => ({
    clientId: `row-${index}`,
    publicClient: true,
    redirectUris: [...registered],
    ...rooted(root),
  })),
  ...POST_LOGOUT_TABLE.map(({ attribute, registered, root }, index) => ({
    clientId: `bye-${index}`,
    publicClient: true,
    redirectUris: [...registered],
    ...rooted(root),
    ...(attribute === undefined ? {} : { attributes: { 'post.logout.redirect.uris': attribute } }),
  })),
  ...ORIGINS_TABLE.map(({ redirectUris, root }, index) => ({
    clientId: `page-${index}`,
    publicClient: true,
    directAccessGrantsEnabled: true,
    redirectUris: [...redirectUris],
    webOrigins: ['+'],
    ...rooted(root),
  })),
];
const host = shareHost(test, { realms: [{ ...realm, clients: [...(realm.clients ?? []), ...clients] }] });

/** The expected result for each URI: Keycloak's, except where the table gives a reason. */
function expected({ takes = [], refuses = [], stricter = {}, looser = {} }: (typeof REDIRECT_TABLE)[number]) {
  const all = (uris: readonly string[], taken: boolean) => uris.map((uri) => [uri, taken] as const);
  return [...all([...takes, ...Object.keys(looser)], true), ...all([...refuses, ...Object.keys(stricter)], false)].map(
    ([uri, taken]) => [uri.replace('{host}', host().url), taken] as const,
  );
}

test('T580 · redirect URIs: they match as in Keycloak, and each difference has its reason in the table', async (t) => {
  for (const [index, row] of REDIRECT_TABLE.entries()) {
    for (const [redirect_uri, taken] of expected(row)) {
      const { url } = codeRequest(host(), { client_id: `row-${index}`, redirect_uri, prompt: 'none' });
      const { status, location } = await new Browser().open(url);
      const row = `${REDIRECT_TABLE[index]?.registered} ← ${redirect_uri}`;
      t.is(status, taken ? 302 : 400, row);
      if (taken) t.true(location?.href.startsWith(new URL(redirect_uri).href.replace(/[?#].*$/, '')), row);
    }
  }
  t.true(REDIRECT_TABLE.flatMap(expected).length > 300);
});

test('T581 · redirect URIs: addresses after a logout match as Keycloak matches them', async (t) => {
  for (const [index, row] of POST_LOGOUT_TABLE.entries()) {
    for (const [uri, taken] of expected(row)) {
      const query = new URLSearchParams({ client_id: `bye-${index}`, post_logout_redirect_uri: uri });
      const url = `${host().url}/realms/demo/protocol/openid-connect/logout?${query}`;
      const { status, location } = await new Browser().open(url);
      t.is(status, taken ? 302 : 400, `${row.attribute} ← ${uri}`);
      if (taken) t.is(location?.href, new URL(uri).href);
    }
  }
});

test('T582 · redirect URIs: "+" of the web origins means the origins of the redirect URIs', async (t) => {
  for (const [index, { redirectUris, origins }] of ORIGINS_TABLE.entries()) {
    const form = { grant_type: 'password', client_id: `page-${index}`, username: 'alice', password: 'Alice-pass-1!' };
    const answer = await host().token('demo', { ...form, scope: 'openid' });
    t.is(answer.status, 200, answer.text);
    const allowed = async (origin: string) => {
      const headers = { authorization: `Bearer ${answer.json.access_token}`, origin };
      const url = `${host().url}/realms/demo/protocol/openid-connect/userinfo`;
      return (await fetchAnswer(url, { headers })).headers.get('access-control-allow-origin') === origin;
    };
    for (const written of origins) {
      const origin = written.replace('{host}', host().url);
      t.true(await allowed(origin), `${redirectUris} ← ${origin}`);
    }
    for (const origin of ['http://evil.test', 'null', 'com.app:', 'http://a.test.evil.test'])
      t.false(await allowed(origin), `${redirectUris} ← ${origin}`);
  }
});
