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
import { withCredentialIds } from './credential-ids.js';
import { readValues } from './credential-values.js';

/** A credential with its ID. */
export type CredentialWithId = CredentialRepresentation & { readonly id: string };

/** A type of credentials in a realm. */
export interface CredentialType extends Omit<CredentialDeclaration, 'describe'> {
  readonly type: string;
  readonly displayName: string;
  readonly helpText: string | undefined;
  /** True if the type is built in. */
  readonly builtin: boolean;
  /** The plugin's texts for the type's name and help. */
  readonly messages?: PluginMessages | undefined;
}

/** A credential with what its user may see of it: the type, the name, and the data that the provider shows. */
export interface CredentialView {
  readonly credential: CredentialWithId;
  readonly type: CredentialType;
  /** The user's name for the credential, else the provider's. */
  readonly label: string | undefined;
  /** Keycloak's `credentialData`; undefined if the provider does not show it. */
  readonly credentialData: string | undefined;
}

export type RegisteredCredentialProvider = RealmProvider<CredentialDeclaration, CredentialProviderMethods>;

/** Prefix of the IDs of built-in providers, as in Keycloak. */
const BUILT_IN_PREFIX = 'keycloak-';

/**
 * The credential types of realms, from providers of the SPI `credential`. Credentials of disabled or unknown types are
 * never shown.
 */
export class CredentialTypes {
  readonly #parts: { readonly providers: RealmProviders; readonly shortLimitMs: number };

  /** @param parts.shortLimitMs how long a page waits for a provider's view of a credential, in milliseconds */
  constructor(parts: { readonly providers: RealmProviders; readonly shortLimitMs: number }) {
    this.#parts = parts;
  }

  /** The credential types of a realm: built-in types, then those of plugins. */
  all(realm: Realm): readonly CredentialType[] {
    return this.#parts.providers.all(realm, CredentialProvider).map(typeOf);
  }

  of(realm: Realm, type: string): CredentialType | undefined {
    const found =
      this.provider(realm, type) ?? this.#parts.providers.find(realm, CredentialProvider, `${BUILT_IN_PREFIX}${type}`);
    return found && typeOf(found);
  }

  /** The provider of a plugin's credential type; undefined for a built-in one. */
  provider(realm: Realm, type: string): RegisteredCredentialProvider | undefined {
    const found = this.#parts.providers.find(realm, CredentialProvider, type);
    return found?.builtin === false ? found : undefined;
  }

  /** True for a type that is used in addition to a password. */
  isSecondFactor(realm: Realm, type: string): boolean {
    return this.of(realm, type)?.category === 'two-factor';
  }

  /** The user's credentials whose types the realm has, each with an ID, in the user's order. */
  listOf(realm: Realm, { id, credentials }: Pick<User, 'id' | 'credentials'>): CredentialWithId[] {
    const withIds = withCredentialIds(id, credentials) as CredentialWithId[];
    return withIds.filter(({ type }) => this.of(realm, type) !== undefined);
  }

  /** Like `listOf`, with the data that the providers show. If a provider fails, only the name is shown. */
  async viewsOf(realm: Realm, user: Pick<User, 'id' | 'credentials'>): Promise<CredentialView[]> {
    return Promise.all(this.listOf(realm, user).map((credential) => this.#viewOf(realm, credential)));
  }

  async #viewOf(realm: Realm, credential: CredentialWithId): Promise<CredentialView> {
    const { type: name, userLabel, credentialData } = credential;
    const type = this.of(realm, name) as CredentialType;
    const provider = this.provider(realm, name);
    const view = { credential, type, label: userLabel || undefined, credentialData };
    const values = provider && readValues(credential);
    if (provider === undefined) return view;
    if (values === undefined) return { ...view, credentialData: undefined };
    const { secret: _, ...visible } = values;
    try {
      // A provider without `present` returns undefined. This also holds for a provider in a worker.
      const presentation = await provider.call(async (methods) => methods.present?.(visible), this.#parts.shortLimitMs);
      if (presentation === undefined) return view;
      const data = presentation.data === undefined ? undefined : JSON.stringify(presentation.data);
      return { ...view, label: view.label ?? presentation.label, credentialData: data };
    } catch {
      // The provider's error is logged already.
      return { ...view, credentialData: undefined };
    }
  }
}

/**
 * The credential type of a provider.
 * @param id the provider's ID
 * @param builtin whether the provider is built in
 */
export function typeNameOf(id: string, builtin: boolean): string {
  return builtin ? id.slice(BUILT_IN_PREFIX.length) : id;
}

function typeOf({ id, declaration, builtin, plugin }: RegisteredCredentialProvider): CredentialType {
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
