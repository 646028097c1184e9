import { defined } from '../../model/defined.js';
import { type Command, EXIT_CODES } from '../command.js';
import type { CommandLine } from '../command-line.js';
import { promptForRealmName } from '../prompts/prompt-for-realm.js';
import { NO_PROMPT, Questions } from '../prompts/questions.js';
import { ADDRESS_OPTIONS, addressOf, realmsOf } from '../server/address.js';
import { fetchFrom, readServerUrl } from '../server/requests.js';
import { getTokensByCode } from './authorization-code.js';
import { claimTimes } from './claim-times.js';
import { decodeToken, isSigned } from './decoded-token.js';
import { getTokensByDevice } from './device-code.js';
import { openBrowser } from './open-browser.js';
import { discover, type Provider, postTokenRequest, type TokenAnswer, type TokenClient } from './token-endpoint.js';

const GRANTS = ['authorization_code', 'client_credentials', 'password', 'device_code'] as const;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

export const token: Command = {
  summary: 'Gets tokens of a client and prints what they say',
  usage: '--client-id ID [--grant GRANT]',
  details: `Without --grant, you sign in with a browser, which comes back to a port of this machine. The client
must have the redirect URI http://127.0.0.1/callback, or the one in --redirect-uri.`,
  examples: [
    'token --realm demo --client-id cli',
    'token --realm demo --client-id cli --grant password --username alice --password:env PASSWORD',
    'token --realm demo --client-id newsletter-backend --client-secret:env SECRET --grant client_credentials --raw',
  ],
  options: [
    { flag: 'realm', value: 'NAME', help: 'realm of the client; default: the only realm in the realms folder' },
    { flag: 'client-id', value: 'ID', help: 'client that gets the tokens' },
    { flag: 'client-secret:env', value: 'VARIABLE', help: 'environment variable with the secret of the client' },
    { flag: 'grant', value: 'GRANT', default: GRANTS[0], help: GRANTS.join(', ') },
    { flag: 'scope', value: 'SCOPES', help: 'scopes, separated by spaces; default: openid, if a user signs in' },
    { flag: 'username', value: 'NAME', help: 'user of the password grant' },
    { flag: 'password:env', value: 'VARIABLE', help: "environment variable with that user's password" },
    { flag: 'redirect-uri', value: 'URI', help: 'redirect URI on this machine; default: any port of 127.0.0.1' },
    { flag: 'raw', help: 'the access token itself, and nothing else' },
    { flag: 'no-browser', help: 'only print the address that you open' },
    { flag: 'server', value: 'URL', help: 'server; default: the one of the data directory' },
    NO_PROMPT,
  ],
  serverOptions: ADDRESS_OPTIONS,
  notes: EXIT_CODES,
  run: printTokens,
};

/** @throws BootError `options_invalid`, `server_unreachable`, `server_refused`, `sign_in_failed` */
async function printTokens(line: CommandLine): Promise<void> {
  line.requireAtMostWords(0);
  const questions = new Questions(line);
  const host = line.server();
  const givenServer = line.value('server');
  const realms = givenServer === undefined ? await realmsOf(host.realmsDir).catch(() => []) : [];
  const server = givenServer === undefined ? await addressOf(host) : readServerUrl(line, givenServer);
  const realm = await promptForRealmName(line, questions, realms);
  if (!questions.isAsking) line.required('client-id');
  const provider = await discover(`${server}/realms/${encodeURIComponent(realm)}`);
  const clientId = await questions.text('client-id', 'Client ID');
  const answer = await requestTokens(line, questions, provider, clientId);
  if (line.has('raw')) process.stdout.write(`${answer.access_token}\n`);
  else process.stdout.write(`${JSON.stringify(await describeTokens(answer, provider), null, 2)}\n`);
}

async function requestTokens(line: CommandLine, questions: Questions, provider: Provider, clientId: string) {
  const grant = line.value('grant') ?? GRANTS[0];
  const secret =
    grant === 'client_credentials'
      ? await questions.secret('client-secret', `Secret of ${clientId}`)
      : line.fromEnvironment('client-secret:env');
  const client: TokenClient = { clientId, secret };
  const scope = line.value('scope') ?? 'openid';
  const printUrl = (url: string) => {
    process.stderr.write(`Sign in at ${url}\n`);
    if (questions.isAsking && !line.has('no-browser')) openBrowser(url);
  };
  switch (grant) {
    case 'authorization_code':
      return getTokensByCode(provider, client, { scope, redirectUri: readRedirectUri(line), showUrl: printUrl });
    case 'device_code':
      return getTokensByDevice(provider, client, { scope, showUrl: printUrl });
    case 'client_credentials':
      return postTokenRequest(
        provider,
        client,
        defined({ grant_type: grant, scope: line.value('scope') }) as Record<string, string>,
      );
    case 'password': {
      const username = await questions.text('username', 'Username');
      const password = await questions.secret('password', `Password of ${username}`);
      return postTokenRequest(provider, client, { grant_type: grant, scope, username, password });
    }
    default:
      return line.usageError(`--grant: unknown value "${grant}"`, `use ${GRANTS.join(', ')}`);
  }
}

function readRedirectUri(line: CommandLine): URL | undefined {
  const givenUri = line.value('redirect-uri');
  if (givenUri === undefined) return undefined;
  const url = URL.canParse(givenUri) ? new URL(givenUri) : undefined;
  if (url?.protocol === 'http:' && LOOPBACK.test(url.hostname) && url.hash === '') return url;
  return line.usageError(`--redirect-uri: "${givenUri}" is not an http address of this machine`);
}

/** Describes the tokens without showing them, since a token is as sensitive as a password. */
async function describeTokens(answer: TokenAnswer, { jwks_uri }: Provider): Promise<object> {
  const keys = await (await fetchFrom(jwks_uri)).json();
  const describeToken = async (value: string | number | undefined) => {
    if (value === undefined) return undefined;
    const content = decodeToken(String(value));
    if (content === undefined) return 'opaque';
    const isValid = await isSigned(String(value), keys as Parameters<typeof isSigned>[1]);
    const signature = isValid === undefined ? undefined : isValid ? 'valid' : 'invalid';
    return defined({ ...content, times: claimTimes(content.claims), signature });
  };
  const { access_token, id_token, refresh_token, ...rest } = answer;
  return defined({
    ...rest,
    access_token: await describeToken(access_token),
    id_token: await describeToken(id_token),
    refresh_token: await describeToken(refresh_token),
  });
}
