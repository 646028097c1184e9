import { isDeepStrictEqual } from 'node:util';
import { readAsJackson } from '../json/jackson.js';
import { REALM_SCHEMA } from './schema/realm-schema.js';

const WEBAUTHN_MEMBERS = [
  'RpEntityName',
  'RpId',
  'SignatureAlgorithms',
  'AttestationConveyancePreference',
  'AuthenticatorAttachment',
  'RequireResidentKey',
  'ResidentKey',
  'UserVerificationRequirement',
  'CreateTimeout',
  'AvoidSameAuthenticatorRegister',
  'AcceptableAaguids',
  'ExtraOrigins',
];

/** Members of the realm by the attributes in which Keycloak stores them, as found with Keycloak 26.7.3. */
const MEMBERS_BY_ATTRIBUTE: ReadonlyMap<string, string> = new Map([
  ...`displayNameHtml defaultSignatureAlgorithm offlineSessionMaxLifespanEnabled offlineSessionMaxLifespan clientSessionIdleTimeout
    clientSessionMaxLifespan clientOfflineSessionIdleTimeout clientOfflineSessionMaxLifespan actionTokenGeneratedByAdminLifespan
    actionTokenGeneratedByUserLifespan oauth2DeviceCodeLifespan oauth2DevicePollingInterval bruteForceProtected permanentLockout
    maxTemporaryLockouts bruteForceStrategy maxFailureWaitSeconds minimumQuickLoginWaitSeconds waitIncrementSeconds
    quickLoginCheckMilliSeconds maxDeltaTimeSeconds failureFactor maxSecondaryAuthFailures organizationsEnabled
    adminPermissionsEnabled`
    .split(/\s+/)
    .map((name) => [name, name] as const),
  ...WEBAUTHN_MEMBERS.map((name) => [`webAuthnPolicy${name}`, `webAuthnPolicy${name}`] as const),
  ...WEBAUTHN_MEMBERS.map(
    (name) => [`webAuthnPolicy${name}Passwordless`, `webAuthnPolicyPasswordless${name}`] as const,
  ),
  ['realmReusableOtpCode', 'otpPolicyCodeReusable'],
]);

/** A realm, or a part of one in a request, whose members are not checked yet. */
interface UncheckedRealm {
  attributes?: unknown;
  [member: string]: unknown;
}

/**
 * Moves settings from the attributes of a realm to its members. Keycloak stores them as attributes, and also accepts
 * them there in a file or request. If a member has the same setting, the member wins.
 *
 * @param realm changed in place. A text that is invalid for its setting stays a text, and the realm schema rejects it
 * @returns the attributes by the members that received their values
 */
export function moveAttributeSettings(realm: UncheckedRealm): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  // A file may contain something else than an object: its shape is checked later.
  const { attributes } = (realm as UncheckedRealm | null) ?? {};
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) return moved;
  const texts = attributes as Record<string, unknown>;
  for (const [attribute, text] of Object.entries(texts)) {
    const member = MEMBERS_BY_ATTRIBUTE.get(attribute);
    if (member === undefined || text === null || (realm[member] ?? undefined) !== undefined) continue;
    delete texts[attribute];
    realm[member] = typeof text === 'string' ? settingValue(member, text) : text;
    moved.set(member, attribute);
  }
  return moved;
}

/**
 * Removes attributes whose value differs from the member with the same setting. In Keycloak both are one value: a tool
 * may read the attribute and send it back without the member.
 * @param realm changed in place
 */
export function removeConflictingAttributes(realm: UncheckedRealm): void {
  const { attributes = {} } = realm as { attributes?: Record<string, string> };
  for (const [attribute, text] of Object.entries(attributes)) {
    const member = MEMBERS_BY_ATTRIBUTE.get(attribute);
    if (member === undefined || realm[member] === undefined) continue;
    if (!isDeepStrictEqual(settingValue(member, text), realm[member])) delete attributes[attribute];
  }
}

/**
 * Converts an attribute's text to the type of the setting, as Keycloak's Jackson does. Commas separate the items of a
 * list.
 */
function settingValue(member: string, text: string): unknown {
  const schema = (REALM_SCHEMA.properties as Readonly<Record<string, { readonly type?: string } | undefined>>)[member];
  if (schema === undefined) return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
  const holder = { [member]: schema.type === 'array' ? text.split(',').filter((part) => part !== '') : text };
  readAsJackson(holder, REALM_SCHEMA);
  return holder[member];
}
