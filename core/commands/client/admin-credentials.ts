import { BootError } from '../../config/boot-error.js';
import type { OptionDefinition } from '../../config/options/option-table.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { CommandLine } from '../command-line.js';
import type { Questions } from '../prompts/questions.js';
import { errorText, fetchFrom } from '../server/requests.js';

/** The options for the credentials of an admin. */
export const ADMIN_OPTIONS: readonly OptionDefinition[] = [
  {
    flag: 'server',
    value: 'URL',
    help: 'running server whose Admin REST API creates the client; default: the realm file',
  },
  { flag: 'username', value: 'NAME', help: 'admin who calls it' },
  { flag: 'password:env', value: 'VARIABLE', help: "environment variable with the admin's password" },
  { flag: 'service-client-id', value: 'ID', help: 'client whose service account calls it, in place of --username' },
  { flag: 'service-client-secret:env', value: 'VARIABLE', help: 'environment variable with the secret of that client' },
  { flag: 'admin-realm', value: 'NAME', default: MASTER_REALM, help: 'realm of that admin or client' },
];

/**
 * Returns a function that gets access tokens of the admin or the service account in the options. A person is asked for
 * the secret once.
 * @throws BootError `server_unreachable`, `server_refused`
 */
export async function adminTokenSource(
  line: CommandLine,
  questions: Questions,
  server: string,
): Promise<() => Promise<string>> {
  const realm = encodeURIComponent(line.value('admin-realm') ?? MASTER_REALM);
  const service = line.value('service-client-id');
  const form: Record<string, string> =
    service !== undefined
      ? {
          grant_type: 'client_credentials',
          client_id: service,
          client_secret: await questions.secret('service-client-secret', `Secret of ${service}`),
        }
      : await passwordForm(questions);
  let cachedToken: { readonly token: string; readonly until: number } | undefined;
  return async () => {
    if (cachedToken === undefined || cachedToken.until < performance.now()) {
      cachedToken = await signIn(`${server}/realms/${realm}/protocol/openid-connect/token`, server, form);
    }
    return cachedToken.token;
  };
}

/** The part of a token's lifetime after which a new token is requested. */
const USED_PART = 0.7;

async function signIn(endpoint: string, server: string, form: Record<string, string>) {
  const response = await fetchFrom(endpoint, { method: 'POST', body: new URLSearchParams(form) });
  const answer = (await response.json().catch(() => ({}))) as Readonly<Record<string, string>>;
  if (response.ok && typeof answer.access_token === 'string') {
    const until = performance.now() + Number(answer.expires_in ?? 0) * 1000 * USED_PART;
    return { token: answer.access_token, until };
  }
  throw new BootError('server_refused', `${server} rejects these credentials: ${errorText(answer, response)}`, {
    hint: 'an admin with a second factor signs in to the admin console; for scripts, use a service account',
  });
}

async function passwordForm(questions: Questions): Promise<Record<string, string>> {
  const username = await questions.text('username', 'Admin');
  const password = await questions.secret('password', `Password of ${username}`);
  return { grant_type: 'password', client_id: 'admin-cli', username, password };
}
