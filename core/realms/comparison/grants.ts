interface GrantSwitch {
  readonly grant: string;
  /** The value of an absent member. */
  readonly defaultValue: boolean;
}

/** Members of a client that enable and disable grants of the token endpoint, by their path. */
const GRANT_SWITCHES: Readonly<Record<string, GrantSwitch>> = {
  standardFlowEnabled: { grant: 'authorization_code', defaultValue: true },
  implicitFlowEnabled: { grant: 'implicit', defaultValue: false },
  directAccessGrantsEnabled: { grant: 'password', defaultValue: false },
  serviceAccountsEnabled: { grant: 'client_credentials', defaultValue: false },
  'attributes use.refresh.tokens': { grant: 'refresh_token', defaultValue: true },
  'attributes oauth2.device.authorization.grant.enabled': { grant: 'device_code', defaultValue: false },
  'attributes oidc.ciba.grant.enabled': { grant: 'ciba', defaultValue: false },
  'attributes standard.token.exchange.enabled': { grant: 'token-exchange', defaultValue: false },
  'impersonation enabled': { grant: 'token-exchange without a subject token (impersonation)', defaultValue: false },
};

/**
 * Returns `gains grant password` or `loses …`; undefined if the member enables no grant, or its effective value does
 * not change.
 */
export function grantChange(rest: readonly string[], before: unknown, after: unknown): string | undefined {
  const key = rest.join(' ');
  const grantSwitch = Object.hasOwn(GRANT_SWITCHES, key) ? GRANT_SWITCHES[key] : undefined;
  if (grantSwitch === undefined) return undefined;
  const isEnabled = (value: unknown) => (value === undefined ? grantSwitch.defaultValue : String(value) === 'true');
  if (isEnabled(before) === isEnabled(after)) return undefined;
  return `${isEnabled(after) ? 'gains' : 'loses'} grant ${grantSwitch.grant}`;
}
