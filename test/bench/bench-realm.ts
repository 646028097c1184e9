import { DEFAULT_CLIENT_SCOPES } from '../../core/model/built-in-names.js';

export const ALICE = 'a11ce000-0000-4000-8000-000000000001';
export const ALICE_PASSWORD = 'alice';
export const CC = { grant_type: 'client_credentials', client_id: 'cc', client_secret: 'cc-secret-0123456789' };
export const WEB = { client_id: 'web', client_secret: 'web-secret-0123456789' };
export const EXCHANGE = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  client_id: 'newsletter-backend',
  client_secret: 'newsletter-secret',
  requested_subject: ALICE,
  scope: 'newsletterscope42',
  audience: 'newsletter-api',
};

/** Name, algorithm, and whether events are stored. */
export const BENCH_REALMS: readonly [string, string, boolean][] = [
  ['rs', 'RS256', false],
  ['es', 'ES256', false],
  ['events-rs', 'RS256', true],
  ['events-es', 'ES256', true],
  ['logins', 'RS256', false],
  ['sessions', 'ES256', false],
];

/** A realm for the rows: a client for each flow, a user, both plugins and the gRPC service. */
export function realm(name: string, algorithm: string, eventsEnabled: boolean) {
  return {
    realm: name,
    enabled: true,
    defaultSignatureAlgorithm: algorithm,
    eventsEnabled,
    eventsListeners: [],
    enabledEventTypes: eventsEnabled ? ['CLIENT_LOGIN'] : [],
    // One iteration: what a login costs without its password. The realm `logins` has Keycloak's argon2.
    ...(name === 'logins' ? {} : { passwordPolicy: 'hashAlgorithm(pbkdf2-sha256) and hashIterations(1)' }),
    // One client asks as often as it can, which the host would not let it.
    attributes: { introspectionRequestsPerSecond: '0' },
    revokeRefreshToken: true,
    refreshTokenMaxReuse: 0,
    clientScopes: [
      {
        name: 'newsletterscope',
        attributes: { 'is.dynamic.scope': 'true', 'dynamic.scope.regexp': 'newsletterscope*' },
      },
    ],
    clients: [
      { clientId: 'cc', secret: CC.client_secret, serviceAccountsEnabled: true },
      {
        clientId: 'web',
        secret: WEB.client_secret,
        directAccessGrantsEnabled: true,
        redirectUris: ['http://127.0.0.1/cb'],
      },
      {
        clientId: 'newsletter-backend',
        secret: EXCHANGE.client_secret,
        serviceAccountsEnabled: true,
        defaultClientScopes: [...DEFAULT_CLIENT_SCOPES],
        optionalClientScopes: ['newsletterscope'],
        impersonation: { enabled: true, scopes: ['newsletterscope*'], audiences: ['newsletter-api'] },
      },
      { clientId: 'newsletter-api', bearerOnly: true },
    ],
    users: [
      {
        id: ALICE,
        username: 'alice',
        email: 'alice@example.com',
        enabled: true,
        credentials: [{ type: 'password', value: ALICE_PASSWORD }],
      },
    ],
    providers: {
      'realm-restapi-extension': {
        newsletter: { enabled: true, config: { authentication: 'none', requestsPerSecond: 0 } },
      },
      'action-token-handler': {
        'external-app-notification': {
          enabled: true,
          config: { clientId: 'newsletter-backend', clientSecret: EXCHANGE.client_secret, audience: 'newsletter-api' },
        },
      },
      'grpc-service': { books: { enabled: true } },
    },
  };
}

/** Authors and books: author 1 has `count` books, author 2 ten. */
export function bookData(count: number): object {
  const book = (id: number, author: number) => ({
    book_id: id,
    title: `The ${id}th Tale of Winter`,
    price: 100 + (id % 97),
    pages: 200 + (id % 300),
    author_id: author,
  });
  return {
    authors: [
      { author_id: 1, first_name: 'Charles', last_name: 'Dickens', gender: 'male', book_id: 1 },
      { author_id: 2, first_name: 'William', last_name: 'Shakespeare', gender: 'male', book_id: 2 },
    ],
    books: [
      ...Array.from({ length: count }, (_, index) => book(index + 1, 1)),
      ...Array.from({ length: 10 }, (_, index) => book(count + index + 1, 2)),
    ],
  };
}
