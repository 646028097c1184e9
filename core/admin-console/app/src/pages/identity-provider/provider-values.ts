import type { IdentityProvider } from '../../api/identity-providers.ts';

/** Members of a provider outside its `config`. */
const SWITCHES = [
  'enabled',
  'trustEmail',
  'storeToken',
  'addReadTokenRoleOnCreate',
  'linkOnly',
  'hideOnLogin',
] as const;
const TEXTS = ['displayName', 'firstBrokerLoginFlowAlias', 'postBrokerLoginFlowAlias'] as const;
/** Members of `config` that are form values without conversion. */
const CONFIG_MEMBERS = [
  'guiOrder',
  'clientId',
  'clientSecret',
  'clientAuthMethod',
  'clientAssertionSigningAlg',
  'clientAssertionAudience',
  'authorizationUrl',
  'tokenUrl',
  'logoutUrl',
  'userInfoUrl',
  'disableUserInfo',
  'issuer',
  'validateSignature',
  'useJwksUrl',
  'jwksUrl',
  'publicKeySignatureVerifier',
  'defaultScope',
  'prompt',
  'loginHint',
  'passMaxAge',
  'uiLocales',
  'disableNonce',
  'allowedClockSkew',
  'syncMode',
] as const;
/** The host's defaults for absent members. */
const DEFAULTS: Readonly<Record<string, string>> = { clientAuthMethod: 'client_secret_post', syncMode: 'LEGACY' };
/** The form value for two members of `config`: `pkceEnabled` and `pkceMethod`. */
const PKCE = 'pkce';
/** Older exports have `hideOnLogin` in `config` under this name. */
const OLD_HIDE_MEMBER = 'hideOnLoginPage';

/** The values of a provider's form. Switches are the texts `true` and `false`. */
export type ProviderValues = Readonly<Record<string, string>>;

export function valuesOf(provider: IdentityProvider): ProviderValues {
  const { config } = provider;
  const pkce = config.pkceEnabled === 'false' ? 'off' : config.pkceMethod === 'plain' ? 'plain' : 'S256';
  return {
    ...Object.fromEntries(CONFIG_MEMBERS.map((name) => [name, config[name] || (DEFAULTS[name] ?? '')])),
    ...Object.fromEntries(TEXTS.map((name) => [name, provider[name] ?? ''])),
    ...Object.fromEntries(SWITCHES.map((name) => [name, String(provider[name] ?? false)])),
    hideOnLogin: String(provider.hideOnLogin === true || config[OLD_HIDE_MEMBER] === 'true'),
    [PKCE]: pkce,
  };
}

/** The provider with its changes, since the host replaces the whole provider. */
export function changedProvider(provider: IdentityProvider, changes: Partial<ProviderValues>): IdentityProvider {
  const members: Record<string, string | boolean> = {};
  const config: Record<string, string> = { ...provider.config };
  for (const [name, value = ''] of Object.entries(changes)) {
    if ((SWITCHES as readonly string[]).includes(name)) members[name] = value === 'true';
    else if ((TEXTS as readonly string[]).includes(name)) members[name] = value;
    else if (name === PKCE) Object.assign(config, pkceOf(value));
    else config[name] = value.trim();
  }
  if (changes.hideOnLogin !== undefined) delete config[OLD_HIDE_MEMBER];
  return { ...provider, ...members, config };
}

function pkceOf(value: string) {
  return value === 'off' ? { pkceEnabled: 'false' } : { pkceEnabled: 'true', pkceMethod: value };
}
