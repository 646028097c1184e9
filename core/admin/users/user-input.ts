import type { CredentialRepresentation, UserRepresentation } from '../../model/representation.js';

const TEXT = { type: ['string', 'null'], maxLength: 255 } as const;
const FLAG = { type: ['boolean', 'null'] } as const;
const NAMES = { type: ['array', 'null'], maxItems: 200, items: { type: 'string', maxLength: 2048 } } as const;

/** A credential in a request: a plain password, or a hashed credential of another server. */
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

/** The members of a user in a request. Null means absent. Members that are not listed here are ignored. */
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

export type CredentialInput = Nullable<
  Pick<
    CredentialRepresentation,
    'type' | 'value' | 'temporary' | 'userLabel' | 'secretData' | 'credentialData' | 'createdDate'
  >
>;

export interface UserInput
  extends Nullable<
    Pick<UserRepresentation, 'email' | 'emailVerified' | 'firstName' | 'lastName' | 'enabled' | 'requiredActions'>
  > {
  readonly username?: string | null;
  readonly attributes?: Readonly<Record<string, readonly (string | null)[] | string | null>> | null;
  readonly groups?: readonly string[] | null;
  readonly credentials?: readonly CredentialInput[] | null;
  readonly federatedIdentities?: readonly Nullable<FederatedIdentity>[] | null;
}

export interface FederatedIdentity {
  readonly identityProvider: string;
  readonly userId: string;
  readonly userName: string;
}
