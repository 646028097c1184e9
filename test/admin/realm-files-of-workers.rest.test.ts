import { Agent, request } from 'node:http';
import { fetchAnswer } from '../helpers/host.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { startWorkers } from '../helpers/workers.js';

interface Answer {
  readonly isFollowed: boolean;
  readonly files?: readonly { readonly path: string; readonly state: string }[];
  readonly realms?: readonly { readonly changes: readonly object[] }[];
  readonly outcome?: string;
}

const PASSWORD = 'Admin-pass-1!';

testPostgresql(
  'realm files of workers: of several workers each says whether it follows the files, and those that do not plan and apply',
  async (t) => {
    const host = await startWorkers(t, {
      env: { KEYHOST_BOOTSTRAP_ADMIN_USERNAME: 'admin', KEYHOST_BOOTSTRAP_ADMIN_PASSWORD: PASSWORD },
    });
    const form = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: PASSWORD };
    const { json } = await fetchAnswer(`${host.url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    /** Repeats the request on new connections until a process answers that follows files, or one that does not. */
    const ask = async (method: string, path: string, isFollowed: boolean, body?: string): Promise<Answer> => {
      for (let asked = 0; asked < 40; asked += 1) {
        const answer = await send(`${host.url}/admin${path}`, method, String(json.access_token), body);
        if (answer.isFollowed === isFollowed) return answer;
      }
      throw new Error(`nobody answers with isFollowed ${isFollowed}`);
    };
    for (const isFollowed of [true, false]) {
      const { files } = await ask('GET', '/realm-files', isFollowed);
      t.like(files, [{ path: 'demo.json', state: 'applied' }]);
    }
    const document = JSON.stringify({ realm: 'demo', enabled: true, displayName: 'Planned' });
    const { realms } = await ask('POST', '/realm-files/plan', false, document);
    t.true((realms?.[0]?.changes.length ?? 0) > 0);
    // A worker that does not follow files can fix drift too.
    const mended = async (): Promise<boolean> => {
      await send(`${host.url}/admin/realms/demo`, 'PUT', String(json.access_token), '{"displayName": "Edited"}');
      // Workers get new connections in turn, so a different worker answers the next request.
      t.is((await ask('GET', '/realm-files', true)).files?.[0]?.state, 'drifted');
      const url = `${host.url}/admin/realm-files/demo/apply`;
      const { isFollowed, outcome } = await send(url, 'POST', String(json.access_token), undefined);
      t.is(outcome, 'applied');
      return !isFollowed;
    };
    let rounds = 0;
    while (!(await mended())) if (++rounds === 20) throw new Error('nobody answered who follows no files');
    for (const isFollowed of [true, false])
      t.is((await ask('GET', '/realm-files', isFollowed)).files?.[0]?.state, 'applied');
  },
);

function send(url: string, method: string, token: string, body: string | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request(url, { method, headers, agent: new Agent({ keepAlive: false }) }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => {
        if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(text || '{}') as Answer);
        else reject(new Error(`${response.statusCode} ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
