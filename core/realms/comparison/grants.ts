interface GrantSwitch {
  readonly grant: string;
  /** The value of an absent member. */
  readonly standard: boolean;
}

/** Members of a client that open and close grants of the token endpoint, by their path. */
const SWITCHES: Readonly<Record<string, GrantSwitch>> = {
  standardFlowEnabled: { grant: 'authorization_code', standard: true },
  implicitFlowEnabled: { grant: 'implicit', standard: false },
  directAccessGrantsEnabled: { grant: 'password', standard: false },
  serviceAccountsEnabled: { grant: 'client_credentials', standard: false },
  'attributes use.refresh.tokens': { grant: 'refresh_token', standard: true },
  'attributes oauth2.device.authorization.grant.enabled': { grant: 'device_code', standard: false },
  'attributes oidc.ciba.grant.enabled': { grant: 'ciba', standard: false },
  'attributes standard.token.exchange.enabled': { grant: 'token-exchange', standard: false },
  'impersonation enabled': { grant: 'token-exchange without a subject token (impersonation)', standard: false },
};

/**
 * `gains grant password` or `loses …`; undefined if the member is no switch, or its effective value does not change.
 */
export function grantChange(rest: readonly string[], before: unknown, after: unknown): string | undefined {
  const key = rest.join(' ');
  const found = Object.hasOwn(SWITCHES, key) ? SWITCHES[key] : undefined;
  if (found === undefined) return undefined;
  const isOn = (value: unknown) => (value === undefined ? found.standard : String(value) === 'true');
  if (isOn(before) === isOn(after)) return undefined;
  return `${isOn(after) ? 'gains' : 'loses'} grant ${found.grant}`;
}
