import type { Realm } from '../../model/realm.js';
import type { CredentialRepresentation, UserRepresentation } from '../../model/representation.js';
import { AdminError, badRequest } from '../admin.js';

const TEXT = { type: ['string', 'null'], maxLength: 255 } as const;
const FLAG = { type: ['boolean', 'null'] } as const;
const NAMES = { type: ['array', 'null'], maxItems: 200, items: { type: 'string', maxLength: 2048 } } as const;

/** A credential as admins send it: a plain password, or one that another Keycloak has hashed. */
export const CREDENTIAL_BODY = {
  type: 'object',
  properties: {
    type: TEXT,
    value: { type: ['string', 'null'] },
    temporary: FLAG,
    userLabel: TEXT,
    secretData: { type: ['string', 'null'] },
    credentialData: { type: ['string', 'null'] },
    createdDate: { type: ['integer', 'null'] },
  },
} as const;

/** What of a user may be sent. Null says as little as nothing; members that are not named here are ignored. */
export const USER_BODY = {
  type: 'object',
  properties: {
    username: TEXT,
    email: TEXT,
    emailVerified: FLAG,
    firstName: TEXT,
    lastName: TEXT,
    enabled: FLAG,
    attributes: {
      type: ['object', 'null'],
      additionalProperties: { type: ['array', 'string', 'null'], items: { type: ['string', 'null'] } },
    },
    requiredActions: NAMES,
    groups: NAMES,
    credentials: { type: ['array', 'null'], maxItems: 20, items: CREDENTIAL_BODY },
    federatedIdentities: {
      type: ['array', 'null'],
      maxItems: 20,
      items: { type: 'object', properties: { identityProvider: TEXT, userId: TEXT, userName: TEXT } },
    },
  },
} as const;

type Nullable<T> = { readonly [Key in keyof T]?: T[Key] | null };

export type SentCredential = Nullable<
  Pick<
    CredentialRepresentation,
    'type' | 'value' | 'temporary' | 'userLabel' | 'secretData' | 'credentialData' | 'createdDate'
  >
>;

export interface SentUser
  extends Nullable<
    Pick<UserRepresentation, 'email' | 'emailVerified' | 'firstName' | 'lastName' | 'enabled' | 'requiredActions'>
  > {
  readonly username?: string | null;
  readonly attributes?: Readonly<Record<string, readonly (string | null)[] | string | null>> | null;
  readonly groups?: readonly string[] | null;
  readonly credentials?: readonly SentCredential[] | null;
  readonly federatedIdentities?: readonly Nullable<FederatedIdentity>[] | null;
}

export interface FederatedIdentity {
  readonly identityProvider: string;
  readonly userId: string;
  readonly userName: string;
}

/** Members of their own that Keycloak's clients also send among the attributes. */
const ROOT_ATTRIBUTES: readonly string[] = ['username', 'email', 'firstName', 'lastName'];

/**
 * Writes what was sent into a user: what is absent stays, attributes that are there replace all of them.
 * @param draft a new user has the username '' still
 * @throws AdminError 400
 */
export function applySentUser(draft: UserRepresentation, sent: SentUser, realm: Realm): void {
  const isNew = draft.username === '';
  for (const key of ['firstName', 'lastName'] as const) put(draft, key, sent[key]);
  for (const key of ['enabled', 'emailVerified'] as const) {
    const flag = sent[key];
    if (typeof flag === 'boolean') draft[key] = flag;
  }
  put(draft, 'email', sent.email?.trim().toLowerCase());
  applyUsername(draft, sent.username?.trim().toLowerCase(), realm, isNew);
  if (sent.requiredActions) draft.requiredActions = [...new Set(sent.requiredActions)];
  if (sent.attributes) draft.attributes = attributesOf(sent.attributes);
}

function applyUsername(draft: UserRepresentation, sent: string | undefined, realm: Realm, isNew: boolean): void {
  const { registrationEmailAsUsername, editUsernameAllowed } = realm.representation;
  const byEmail = registrationEmailAsUsername === true && draft.serviceAccountClientId === undefined;
  const username = byEmail && draft.email ? draft.email : isNew ? sent : (sent ?? draft.username);
  if (username === undefined || username === '') throw badRequest('User name is missing');
  if (username === draft.username.toLowerCase()) return;
  if (draft.serviceAccountClientId !== undefined)
    throw badRequest('The name of a service account goes with its client');
  if (!isNew && !byEmail && editUsernameAllowed !== true) {
    throw new AdminError(400, {
      field: 'username',
      errorMessage: 'error-user-attribute-read-only',
      params: ['username'],
    });
  }
  draft.username = username;
}

function put(draft: UserRepresentation, key: 'email' | 'firstName' | 'lastName', value: string | null | undefined) {
  if (value === '') delete draft[key];
  else if (typeof value === 'string') draft[key] = value;
}

function attributesOf(sent: NonNullable<SentUser['attributes']>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(sent)
      .filter(([name]) => !ROOT_ATTRIBUTES.includes(name) && name !== '__proto__')
      .map(([name, value]): [string, string[]] => [
        name,
        [value].flat().filter((one): one is string => typeof one === 'string' && one !== ''),
      ])
      .filter(([, values]) => values.length > 0),
  );
}
