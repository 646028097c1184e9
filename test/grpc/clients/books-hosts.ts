import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { DEFAULT_CLIENT_SCOPES } from '../../../core/model/built-in-names.js';
import type { RealmRepresentation } from '../../../core/model/representation.js';
import { startHost, type TestHost } from '../../helpers/host.js';

export const SERVICE = 'com.devProblems.BookAuthorService';

const CERTIFICATES = fileURLToPath(new URL('../../../../test/fixtures/tls/grpc/', import.meta.url));

/** A PEM file of test/fixtures/tls/grpc: `client` and `server` are of `ca`, `stranger` is of `other-ca`. */
export const pem = (name: string) => join(CERTIFICATES, `${name}.pem`);
export const readPem = (name: string) => readFile(pem(name));

export const SERVER_TLS = [
  '--grpc-certificate-file',
  pem('server'),
  '--grpc-certificate-key-file',
  pem('server-key'),
] as const;

const OPEN = { module: '@keyhost/books' };
export const BEARER = { ...OPEN, config: { 'grpc-service/books': { authentication: 'bearer' } } };

/** A realm whose client `reader` may ask for the scope `books`. */
export function booksRealm(name: string, changes: Partial<RealmRepresentation> = {}): RealmRepresentation {
  return {
    realm: name,
    enabled: true,
    clientScopes: [{ name: 'books', protocol: 'openid-connect' }],
    clients: [
      {
        clientId: 'reader',
        secret: 'reader-secret',
        serviceAccountsEnabled: true,
        directAccessGrantsEnabled: true,
        defaultClientScopes: [...DEFAULT_CLIENT_SCOPES],
        optionalClientScopes: ['books'],
      },
    ],
    users: [{ username: 'alice', enabled: true, credentials: [{ type: 'password', value: 'Alice-pass-1!' }] }],
    providers: { 'grpc-service': { books: { enabled: true } } },
    ...changes,
  };
}

export function booksHost(
  t: Pick<ExecutionContext, 'teardown'>,
  argv: readonly string[] = [],
  plugin: object = OPEN,
  realms: readonly RealmRepresentation[] = [booksRealm('demo')],
): Promise<TestHost> {
  return startHost(t, { realms, plugins: [plugin], argv });
}

/** The host's gRPC address. */
export function addressOf({ grpcAddress }: TestHost): string {
  if (grpcAddress === undefined) throw new Error('the host has no gRPC server');
  return grpcAddress;
}

/** An access token of the client `reader`. */
export async function readerToken(host: TestHost, scope: string, realm = 'demo'): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: 'reader', client_secret: 'reader-secret' };
  const answer = await host.token(realm, scope === '' ? form : { ...form, scope });
  if (answer.status !== 200) throw new Error(`the token endpoint answered ${answer.status} ${answer.text}`);
  return String(answer.json.access_token);
}
