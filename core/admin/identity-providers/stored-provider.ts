import type { IdentityProviderRepresentation } from '../../model/representation.js';
import { badRequest } from '../admin.js';
import { replaceConfig } from '../text-config.js';

const TEXT = { type: ['string', 'null'], maxLength: 255 };
const SWITCH = { type: ['boolean', 'null'] };
/** Members of an identity provider in a request, besides its identity and its `config`. */
export const PROVIDER_MEMBERS = {
  displayName: TEXT,
  enabled: SWITCH,
  trustEmail: SWITCH,
  storeToken: SWITCH,
  linkOnly: SWITCH,
  hideOnLogin: SWITCH,
  addReadTokenRoleOnCreate: SWITCH,
  authenticateByDefault: SWITCH,
  updateProfileFirstLoginMode: TEXT,
  firstBrokerLoginFlowAlias: TEXT,
  postBrokerLoginFlowAlias: TEXT,
};
/** Members that refer to flows. An empty alias means no flow, and is left out. */
const FLOWS = ['firstBrokerLoginFlowAlias', 'postBrokerLoginFlowAlias'];
/** Members of `config` with URLs that browsers or this host would open. */
const URLS = ['authorizationUrl', 'tokenUrl', 'userInfoUrl', 'logoutUrl', 'jwksUrl', 'tokenIntrospectionUrl'];
const ALIAS = /^[^\s/?#%]{1,255}$/;

export interface SentProvider {
  readonly [member: string]: unknown;
  readonly config?: Readonly<Record<string, string | null>> | null | undefined;
}

/**
 * An identity provider as stored: only known members, without nulls.
 * @param before the stored configuration, from which masked secrets are taken
 * @throws AdminError 400
 */
export function storedProvider(
  identity: { readonly alias: string; readonly internalId: string; readonly providerId: string },
  sent: SentProvider,
  before?: Readonly<Record<string, string>>,
): IdentityProviderRepresentation {
  if (!ALIAS.test(identity.alias)) throw badRequest('alias: use only letters, digits and . _ -');
  if (identity.providerId === '') throw badRequest('providerId: is missing');
  const config = replaceConfig<string>(before, sent.config ?? {});
  for (const key of URLS) {
    const url = config[key];
    if (url === undefined) continue;
    if (!URL.canParse(url) || !/^https?:\/\//i.test(url)) throw badRequest(`The url [${key}] is malformed`);
  }
  const known = Object.keys(PROVIDER_MEMBERS).map((member) => [member, sent[member]] as const);
  const said = known.filter(([member, value]) => value != null && !(value === '' && FLOWS.includes(member)));
  return { ...identity, enabled: true, ...Object.fromEntries(said), config };
}
