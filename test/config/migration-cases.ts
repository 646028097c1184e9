/** Asks the Admin REST API of a realm; an error is an empty list. */
export type Get = (path: string) => Promise<unknown>;

export interface MigrationCase {
  readonly release: string;
  /** The last version before it. */
  readonly before: string;
  readonly does: string;
  readonly file: Record<string, unknown>;
  /** Reads the result through the Admin REST API. */
  readonly ask: (get: Get) => Promise<unknown>;
  /** Keycloak 26.7.3 answered so for the file with the version before, and with the release's own. */
  readonly older: unknown;
  readonly newer: unknown;
}

type Named = { name: string; alias: string; clientId: string; id: string; priority: number };

const clientOf = async (get: Get, clientId: string) =>
  (((await get(`/clients?clientId=${clientId}`)) as unknown as object[])[0] ?? {}) as Named & {
    attributes: Record<string, string>;
    [member: string]: unknown;
  };
const members =
  (clientId: string, ...keys: string[]) =>
  async (get: Get) => {
    const client = await clientOf(get, clientId);
    return keys.map((key) => client[key] ?? null);
  };
export const scopesOf = (clientId: string, key: 'defaultClientScopes' | 'optionalClientScopes') => async (get: Get) =>
  [...((await clientOf(get, clientId))[key] as unknown as string[])].sort();
const settings =
  (...keys: string[]) =>
  async (get: Get) => {
    const realm = (await get('')) as Record<string, unknown>;
    return keys.map((key) => realm[key] ?? null);
  };
const actions = async (get: Get) =>
  ((await get('/authentication/required-actions')) as Named[]).map(({ alias, priority }) => [alias, priority]);
const steps = (flow: string) => async (get: Get) =>
  ((await get(`/authentication/flows/${flow}/executions`)) as Record<string, unknown>[]).map(
    ({ level, requirement, providerId, displayName, authenticationFlow }) =>
      `${String(level)} ${String(requirement)} ${String(authenticationFlow === true ? displayName : providerId)}`,
  );
const contained = (clientId: string, role: string) => async (get: Get) => {
  const { id } = await clientOf(get, clientId);
  return ((await get(`/clients/${id}/roles/${role}/composites`)) as Named[]).map(({ name }) => name).sort();
};

const CLIENT_SCOPES = ['profile', 'offline_access'].map((name) => ({ name, protocol: 'openid-connect' }));
const LISTS = { defaultClientScopes: ['profile'], optionalClientScopes: [] };
export const SCOPED = {
  clientScopes: CLIENT_SCOPES,
  defaultDefaultClientScopes: ['profile'],
  defaultOptionalClientScopes: [],
  clients: [{ clientId: 'app', publicClient: true, fullScopeAllowed: false, ...LISTS }],
};
const action = (alias: string, name: string, priority: number) => ({
  alias,
  name,
  providerId: alias,
  enabled: true,
  defaultAction: false,
  priority,
  config: {},
});
const ACTIONS = {
  requiredActions: [
    action('CONFIGURE_TOTP', 'Configure OTP', 10),
    action('UPDATE_PASSWORD', 'Update Password', 30),
    action('VERIFY_EMAIL', 'Verify Email', 50),
  ],
};
/** Keycloak's migration to 9 fails, and stops there, if the client's later roles exist. */
const ACCOUNT = {
  clients: [{ clientId: 'account', ...LISTS }],
  roles: { client: { account: [{ name: 'manage-account' }] } },
};
/** Other than the priorities that 26.7 looks for, which it changes otherwise. */
const OTHER_ACTIONS = {
  requiredActions: [action('VERIFY_EMAIL', 'Verify Email', 5), action('CONFIGURE_TOTP', 'Configure OTP', 3)],
};
const MANY = { 'config-pieces-count': ['2'], 'config-piece-0': ['{"attributes":[{"name":"username"},'] };
const PROFILES = 'org.keycloak.userprofile.UserProfileProvider';
const flow = (alias: string, providerId: string, executions: readonly (readonly [string, string])[]) => ({
  alias,
  providerId,
  topLevel: true,
  builtIn: false,
  authenticationExecutions: executions.map(([authenticator, requirement], index) => ({
    authenticator,
    requirement,
    priority: (index + 1) * 10,
  })),
});

export const MIGRATION_CASES: readonly MigrationCase[] = [
  {
    release: '2.3.0',
    before: '2.2.1',
    does: 'userinfo says what ID tokens said',
    file: {
      clients: [
        {
          clientId: 'app',
          protocolMappers: [
            {
              name: 'm',
              protocol: 'openid-connect',
              protocolMapper: 'oidc-usermodel-attribute-mapper',
              config: { 'claim.name': 'x', 'user.attribute': 'x', 'id.token.claim': 'true' },
            },
          ],
        },
      ],
    },
    ask: async (get) => {
      const { protocolMappers } = await clientOf(get, 'app');
      return (protocolMappers as unknown as { config: Record<string, string> }[])[0]?.config['userinfo.token.claim'];
    },
    older: 'true',
    newer: 'true',
  },
  {
    release: '3.0.0',
    before: '2.5.5',
    does: 'manage-account contains manage-account-links',
    file: {
      clients: [{ clientId: 'account', ...LISTS }],
      roles: { client: { account: [{ name: 'manage-account' }, { name: 'manage-account-links' }] } },
    },
    ask: contained('account', 'manage-account'),
    older: ['manage-account-links'],
    newer: [],
  },
  {
    release: '3.1.0',
    before: '3.0.0',
    does: 'the header X-Robots-Tag',
    file: { browserSecurityHeaders: { xRobotsTag: 'all' } },
    ask: async (get) =>
      ((await get('')) as { browserSecurityHeaders: Record<string, string> }).browserSecurityHeaders.xRobotsTag,
    older: 'none',
    newer: 'all',
  },
  {
    release: '3.2.0',
    before: '3.1.0',
    does: 'the iterations of an old algorithm',
    file: { passwordPolicy: 'hashIterations(20000) and length(8)' },
    ask: settings('passwordPolicy'),
    older: ['length(8)'],
    newer: ['hashIterations(20000) and length(8)'],
  },
  {
    release: '3.2.0',
    before: '3.1.0',
    does: 'view-users contains the roles that search',
    file: {
      clients: [{ clientId: 'realm-management', bearerOnly: true }],
      roles: {
        client: { 'realm-management': ['view-users', 'query-users', 'query-groups'].map((name) => ({ name })) },
      },
    },
    ask: contained('realm-management', 'view-users'),
    older: ['query-groups', 'query-users'],
    newer: ['query-groups', 'query-users'],
  },
  {
    release: '3.4.0',
    before: '3.3.0',
    does: 'the header Strict-Transport-Security',
    file: { browserSecurityHeaders: { strictTransportSecurity: 'max-age=1' } },
    ask: async (get) =>
      ((await get('')) as { browserSecurityHeaders: Record<string, string> }).browserSecurityHeaders
        .strictTransportSecurity,
    older: 'max-age=31536000; includeSubDomains',
    newer: 'max-age=1',
  },
  {
    release: '4.0.0',
    before: '3.4.3',
    does: 'a client whose tokens may show the role offline_access may ask for the scope',
    file: { ...SCOPED, scopeMappings: [{ client: 'app', roles: ['offline_access'] }] },
    ask: scopesOf('app', 'optionalClientScopes'),
    older: ['microprofile-jwt', 'offline_access'],
    newer: ['microprofile-jwt'],
  },
  {
    release: '4.0.0',
    before: '3.4.3',
    does: 'the consent page names a client without scopes',
    file: { clients: [{ clientId: 'app', consentRequired: true, defaultClientScopes: [], optionalClientScopes: [] }] },
    ask: async (get) => {
      const { attributes } = await clientOf(get, 'app');
      return attributes['consent.screen.text'];
    },
    older: 'app',
    newer: undefined,
  },
  {
    release: '4.2.0',
    before: '4.1.0',
    does: 'required actions are in the order of their names',
    file: OTHER_ACTIONS,
    ask: async (get) =>
      ((await actions(get)) as [string, number][]).filter(
        ([alias]) => !alias.startsWith('delete_account') && alias !== 'update_user_locale',
      ),
    older: [
      ['VERIFY_EMAIL', 30],
      ['CONFIGURE_TOTP', 31],
      ['delete_credential', 110],
      ['idp_link', 120],
    ],
    newer: [
      ['VERIFY_EMAIL', 5],
      ['CONFIGURE_TOTP', 6],
      ['delete_credential', 110],
      ['idp_link', 120],
    ],
  },
  {
    release: '4.6.0',
    before: '4.5.0',
    does: 'the scopes roles and web-origins',
    file: SCOPED,
    ask: scopesOf('app', 'defaultClientScopes'),
    older: ['acr', 'basic', 'profile', 'roles', 'web-origins'],
    newer: ['acr', 'basic', 'profile'],
  },
  {
    release: '6.0.0',
    before: '5.0.0',
    does: 'the scope microprofile-jwt',
    file: SCOPED,
    ask: scopesOf('app', 'optionalClientScopes'),
    older: ['microprofile-jwt'],
    newer: [],
  },
  {
    release: '8.0.0',
    before: '7.0.1',
    does: 'the addresses of the account page',
    file: { clients: [{ clientId: 'account', rootUrl: 'http://x.test', redirectUris: ['http://x.test/*'], ...LISTS }] },
    ask: members('account', 'rootUrl', 'baseUrl', 'redirectUris'),
    older: ['${authBaseUrl}', '/realms/REALM/account/', ['/realms/REALM/account/*']],
    newer: ['http://x.test', null, ['http://x.test/*']],
  },
  {
    release: '8.0.0',
    before: '7.0.1',
    does: 'the addresses of the admin console',
    file: { clients: [{ clientId: 'security-admin-console', rootUrl: 'http://x.test', ...LISTS }] },
    ask: members('security-admin-console', 'rootUrl', 'redirectUris', 'webOrigins'),
    older: ['${authAdminUrl}', ['/admin/REALM/console/*'], ['+']],
    newer: ['http://x.test', [], []],
  },
  {
    release: '8.0.2',
    before: '8.0.1',
    does: 'alternative steps beside required ones',
    file: {
      authenticationFlows: [
        flow('mixed', 'basic-flow', [
          ['auth-cookie', 'ALTERNATIVE'],
          ['identity-provider-redirector', 'ALTERNATIVE'],
          ['auth-username-password-form', 'REQUIRED'],
          ['auth-otp-form', 'ALTERNATIVE'],
        ]),
      ],
    },
    ask: steps('mixed'),
    older: [
      '0 REQUIRED mixed - Alternatives - 0',
      '1 ALTERNATIVE auth-cookie',
      '1 ALTERNATIVE identity-provider-redirector',
      '0 REQUIRED auth-username-password-form',
      '0 REQUIRED mixed - Alternatives - 1',
      '1 ALTERNATIVE auth-otp-form',
    ],
    newer: [
      '0 ALTERNATIVE auth-cookie',
      '0 ALTERNATIVE identity-provider-redirector',
      '0 REQUIRED auth-username-password-form',
      '0 ALTERNATIVE auth-otp-form',
    ],
  },
  {
    release: '9.0.0',
    before: '8.0.2',
    does: 'the account console has PKCE',
    file: { clients: [...ACCOUNT.clients, { clientId: 'account-console', publicClient: true, ...LISTS }] },
    ask: async (get) => {
      const { attributes } = await clientOf(get, 'account-console');
      return attributes['pkce.code.challenge.method'];
    },
    older: 'S256',
    newer: undefined,
  },
  {
    release: '9.0.0',
    before: '8.0.2',
    does: 'the required action update_user_locale',
    file: { ...ACTIONS, ...ACCOUNT },
    ask: actions,
    older: [
      ['VERIFY_EMAIL', 50],
      ['CONFIGURE_TOTP', 54],
      ['UPDATE_PASSWORD', 57],
      ['delete_account', 60],
      ['delete_credential', 110],
      ['idp_link', 120],
      ['update_user_locale', 1000],
    ],
    newer: [
      ['VERIFY_EMAIL', 50],
      ['CONFIGURE_TOTP', 54],
      ['UPDATE_PASSWORD', 57],
      ['delete_account', 60],
      ['delete_credential', 110],
      ['idp_link', 120],
    ],
  },
  {
    release: '18.0.0',
    before: '17.0.1',
    does: 'the scope acr',
    file: SCOPED,
    ask: scopesOf('app', 'defaultClientScopes'),
    older: ['acr', 'basic', 'profile'],
    newer: ['basic', 'profile'],
  },
  {
    release: '20.0.0',
    before: '19.0.3',
    does: 'the account console shows groups',
    file: {
      clients: [
        { clientId: 'account', ...LISTS },
        { clientId: 'account-console', publicClient: true, fullScopeAllowed: false, ...LISTS },
      ],
      roles: { client: { account: [{ name: 'manage-account' }] } },
    },
    ask: async (get) => {
      const { id } = await clientOf(get, 'account-console');
      const { clientMappings = {} } = (await get(`/clients/${id}/scope-mappings`)) as {
        clientMappings?: Record<string, { mappings: Named[] }>;
      };
      return clientMappings.account?.mappings.map(({ name }) => name) ?? [];
    },
    older: ['view-groups'],
    newer: [],
  },
  {
    release: '21.0.0',
    before: '20.0.5',
    does: 'the theme of the admin console',
    file: { adminTheme: 'keycloak' },
    ask: settings('adminTheme'),
    older: ['keycloak.v2'],
    newer: ['keycloak'],
  },
  {
    release: '22.0.0',
    before: '21.1.2',
    does: 'the themes of products',
    file: {
      accountTheme: 'keycloak',
      loginTheme: 'rh-sso',
      emailTheme: 'rh-sso',
      clients: [{ clientId: 'app', attributes: { login_theme: 'rh-sso' } }],
    },
    ask: async (get) => [
      ...((await settings('accountTheme', 'loginTheme', 'emailTheme')(get)) as unknown[]),
      (await clientOf(get, 'app')).attributes.login_theme ?? null,
    ],
    older: ['keycloak.v2', null, null, null],
    newer: ['keycloak', 'rh-sso', 'rh-sso', 'rh-sso'],
  },
  {
    release: '22.0.0',
    before: '21.1.2',
    does: 'the flow for programs without a browser',
    file: { authenticationFlows: [flow('http challenge', 'basic-flow', [['no-cookie-redirect', 'REQUIRED']])] },
    ask: async (get) =>
      ((await get('/authentication/flows')) as Named[]).some(({ alias }) => alias === 'http challenge'),
    older: false,
    newer: true,
  },
  {
    release: '23.0.0',
    before: '22.0.5',
    does: 'the profile step of a registration',
    file: {
      authenticationFlows: [
        {
          ...flow('form', 'form-flow', [
            ['registration-user-creation', 'REQUIRED'],
            ['registration-profile-action', 'REQUIRED'],
          ]),
        },
      ],
    },
    ask: steps('form'),
    older: ['0 REQUIRED registration-user-creation'],
    // Keycloak 26.7.3 answers 500 here: it has no such step.
    newer: ['0 REQUIRED registration-user-creation', '0 REQUIRED registration-profile-action'],
  },
  {
    release: '23.0.0',
    before: '22.0.5',
    does: 'a user profile in pieces',
    file: {
      attributes: { userProfileEnabled: 'true' },
      components: {
        [PROFILES]: [
          {
            providerId: 'declarative-user-profile',
            config: { ...MANY, 'config-piece-1': ['{"name":"email"},{"name":"color"}]}'] },
          },
        ],
      },
    },
    ask: async (get) => ((await get('/users/profile')) as { attributes: Named[] }).attributes.map(({ name }) => name),
    older: ['username', 'email', 'color'],
    // The pieces are no longer read.
    newer: ['username', 'email', 'firstName', 'lastName'],
  },
  {
    release: '24.0.0',
    before: '23.0.7',
    does: 'users keep attributes that the profile does not name',
    file: {
      components: {
        [PROFILES]: [
          {
            providerId: 'declarative-user-profile',
            config: { 'kc.user.profile.config': ['{"attributes":[{"name":"username"},{"name":"email"}]}'] },
          },
        ],
      },
    },
    ask: async (get) => ((await get('/users/profile')) as Record<string, unknown>).unmanagedAttributePolicy ?? null,
    older: 'ENABLED',
    newer: null,
  },
  {
    release: '24.0.3',
    before: '24.0.2',
    does: 'the required action delete_credential',
    file: ACTIONS,
    ask: async (get) => ((await actions(get)) as [string][]).map(([alias]) => alias).includes('delete_credential'),
    older: true,
    newer: false,
  },
  {
    release: '25.0.0',
    before: '24.0.5',
    does: 'the scope basic',
    file: SCOPED,
    ask: scopesOf('app', 'defaultClientScopes'),
    older: ['basic', 'profile'],
    newer: ['profile'],
  },
  {
    release: '26.0.0',
    before: '25.0.6',
    does: 'admin-cli administers',
    file: {
      clients: [
        {
          clientId: 'admin-cli',
          publicClient: true,
          directAccessGrantsEnabled: true,
          fullScopeAllowed: false,
          ...LISTS,
        },
      ],
    },
    ask: async (get) => {
      const { fullScopeAllowed, attributes } = await clientOf(get, 'admin-cli');
      const lightweight = attributes['client.use.lightweight.access.token.enabled'];
      return [fullScopeAllowed, lightweight ?? null];
    },
    older: [true, 'true'],
    newer: [false, null],
  },
  {
    release: '26.3.0',
    before: '26.2.5',
    does: 'the required action idp_link',
    file: ACTIONS,
    ask: async (get) => ((await actions(get)) as [string][]).map(([alias]) => alias).includes('idp_link'),
    older: true,
    newer: false,
  },
  {
    release: '26.7.0',
    before: '26.6.0',
    does: 'the password is set after the address is verified',
    file: ACTIONS,
    ask: actions,
    older: [
      ['VERIFY_EMAIL', 50],
      ['CONFIGURE_TOTP', 54],
      ['UPDATE_PASSWORD', 57],
      ['delete_account', 60],
    ],
    newer: [
      ['CONFIGURE_TOTP', 10],
      ['UPDATE_PASSWORD', 30],
      ['VERIFY_EMAIL', 50],
      ['delete_account', 60],
    ],
  },
];
