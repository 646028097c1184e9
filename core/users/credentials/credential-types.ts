import {
  type CredentialDeclaration,
  CredentialProvider,
  type CredentialProviderMethods,
  type PluginMessages,
} from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { RealmProvider, RealmProviders } from '../../model/realm-providers.js';
import type { CredentialRepresentation } from '../../model/representation.js';
import type { User } from '../../model/user.js';
import { identifiedCredentials } from './credential-list.js';
import { readValues } from './credential-values.js';

/** A credential with its ID. */
export type OwnedCredential = CredentialRepresentation & { readonly id: string };

/** A type of credentials in a realm. */
export interface CredentialType extends Omit<CredentialDeclaration, 'describe'> {
  readonly type: string;
  readonly displayName: string;
  readonly helpText: string | undefined;
  /** True for a built-in type. */
  readonly builtin: boolean;
  /** The plugin's messages, for its names. */
  readonly messages?: PluginMessages | undefined;
}

/** The visible part of a credential. */
export interface CredentialView {
  readonly credential: OwnedCredential;
  readonly type: CredentialType;
  /** The user's name for it, else the provider's. */
  readonly label: string | undefined;
  /** Keycloak's `credentialData`; undefined if the provider does not show it. */
  readonly credentialData: string | undefined;
}

export type CredentialsOfPlugin = RealmProvider<CredentialDeclaration, CredentialProviderMethods>;

/** Prefix of the built-in providers' IDs, as in Keycloak. */
const OWN = 'keycloak-';

/**
 * The credential types of realms, from providers of the SPI `credential`. Credentials of disabled or unknown types are
 * never shown.
 */
export class CredentialTypes {
  readonly #providers: RealmProviders;
  readonly #shortLimitMs: number;

  /** @param parts.shortLimitMs how long a page waits for a provider's view of a credential, in milliseconds */
  constructor(parts: { readonly providers: RealmProviders; readonly shortLimitMs: number }) {
    this.#providers = parts.providers;
    this.#shortLimitMs = parts.shortLimitMs;
  }

  /** Built-in types, then those of plugins. */
  all(realm: Realm): readonly CredentialType[] {
    return this.#providers.all(realm, CredentialProvider).map(typeOf);
  }

  of(realm: Realm, type: string): CredentialType | undefined {
    const found = this.provider(realm, type) ?? this.#providers.find(realm, CredentialProvider, `${OWN}${type}`);
    return found && typeOf(found);
  }

  /** The provider of a plugin's credential type; undefined for a built-in one. */
  provider(realm: Realm, type: string): CredentialsOfPlugin | undefined {
    const found = this.#providers.find(realm, CredentialProvider, type);
    return found?.builtin === false ? found : undefined;
  }

  /** True for a type that is required in addition to a password. */
  isSecondFactor(realm: Realm, type: string): boolean {
    return this.of(realm, type)?.category === 'two-factor';
  }

  /** The credentials of types that the realm has, each with an ID, in the user's order. */
  listOf(realm: Realm, { id, credentials }: Pick<User, 'id' | 'credentials'>): OwnedCredential[] {
    const all = identifiedCredentials(id, credentials) as OwnedCredential[];
    return all.filter(({ type }) => this.of(realm, type) !== undefined);
  }

  /** The same, with the data that their providers show. If a provider fails, only the name is shown. */
  async viewsOf(realm: Realm, user: Pick<User, 'id' | 'credentials'>): Promise<CredentialView[]> {
    return Promise.all(this.listOf(realm, user).map((credential) => this.#presented(realm, credential)));
  }

  async #presented(realm: Realm, credential: OwnedCredential): Promise<CredentialView> {
    const { type: name, userLabel, credentialData } = credential;
    const type = this.of(realm, name) as CredentialType;
    const provider = this.provider(realm, name);
    const whole = { credential, type, label: userLabel || undefined, credentialData };
    const values = provider && readValues(credential);
    if (provider === undefined) return whole;
    if (values === undefined) return { ...whole, credentialData: undefined };
    const { secret: _, ...visible } = values;
    try {
      // A provider without `present` returns undefined, also in a worker.
      const said = await provider.call(async (methods) => methods.present?.(visible), this.#shortLimitMs);
      if (said === undefined) return whole;
      const data = said.data === undefined ? undefined : JSON.stringify(said.data);
      return { ...whole, label: whole.label ?? said.label, credentialData: data };
    } catch {
      // The provider's error is logged already.
      return { ...whole, credentialData: undefined };
    }
  }
}

/** The credential type of a provider. @param builtin true for a built-in provider */
export function typeNameOf(id: string, builtin: boolean): string {
  return builtin ? id.slice(OWN.length) : id;
}

function typeOf({ id, declaration, builtin, plugin }: CredentialsOfPlugin): CredentialType {
  const { describe, ...rest } = declaration;
  const type = typeNameOf(id, builtin);
  return {
    ...rest,
    type,
    builtin,
    displayName: describe.displayName,
    helpText: describe.helpText,
    messages: plugin.messages,
  };
}
