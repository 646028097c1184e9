import type { IdentityProviderRepresentation } from '../../model/representation.js';
import { badRequest } from '../admin.js';
import { replaceConfig } from '../text-config.js';

const TEXT = { type: ['string', 'null'], maxLength: 255 };
const SWITCH = { type: ['boolean', 'null'] };
/** Members of an identity provider in a request, except for its identity and its `config`. */
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
/** Members that refer to flows. An empty alias means no flow, and is not stored. */
const FLOW_MEMBERS = ['firstBrokerLoginFlowAlias', 'postBrokerLoginFlowAlias'];
/** Members of `config` with URLs that browsers or this host open. */
const URL_MEMBERS = ['authorizationUrl', 'tokenUrl', 'userInfoUrl', 'logoutUrl', 'jwksUrl', 'tokenIntrospectionUrl'];
const ALIAS = /^[^\s/?#%]{1,255}$/;

export interface ProviderInput {
  readonly [member: string]: unknown;
  readonly config?: Readonly<Record<string, string | null>> | null | undefined;
}

/**
 * Converts an identity provider of a request to its stored form, with only known members and no nulls.
 * @param before the stored configuration, from which masked secrets are taken
 * @throws AdminError 400
 */
export function toStoredProvider(
  identity: { readonly alias: string; readonly internalId: string; readonly providerId: string },
  input: ProviderInput,
  before?: Readonly<Record<string, string>>,
): IdentityProviderRepresentation {
  if (!ALIAS.test(identity.alias)) throw badRequest('alias: use only letters, digits and . _ -');
  if (identity.providerId === '') throw badRequest('providerId: is missing');
  const config = replaceConfig<string>(before, input.config ?? {});
  for (const key of URL_MEMBERS) {
    const url = config[key];
    if (url === undefined) continue;
    if (!URL.canParse(url) || !/^https?:\/\//i.test(url)) throw badRequest(`The url [${key}] is malformed`);
  }
  const knownMembers = Object.keys(PROVIDER_MEMBERS).map((member) => [member, input[member]] as const);
  const members = knownMembers.filter(
    ([member, value]) => value != null && !(value === '' && FLOW_MEMBERS.includes(member)),
  );
  return { ...identity, enabled: true, ...Object.fromEntries(members), config };
}
