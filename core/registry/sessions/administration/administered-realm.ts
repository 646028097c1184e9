import type { AdministeredRealm, Administration, ClientView, JsonObject } from '@keyhost/spi';
import { expectJson } from './answer.js';
import { clientAdministration } from './client-administration.js';
import { credentialAdministration } from './credential-administration.js';
import { groupAdministration } from './group-administration.js';
import { identityProviderAdministration } from './identity-provider-administration.js';
import { roleAdministration } from './role-administration.js';
import { sessionAdministration } from './session-administration.js';
import { userAdministration } from './user-administration.js';

export type Request = Administration['request'];

/** Finds a client. This is separate from `request`, because a plugin needs no right for it. */
export type FindClient = (clientId: string) => Promise<ClientView | undefined>;

/** The functions of the host that `RealmAdministration` calls. */
export interface AdministrationCalls {
  readonly request: Request;
  readonly findClient: FindClient;
  readonly verify: AdministeredRealm['credentials']['verify'];
}

/**
 * The members of a session by which a plugin administers its realm. They send requests to the Admin REST API. So they
 * work the same in process and in a worker, and are subject to all checks of the API.
 */
export class RealmAdministration {
  readonly #request: Request;
  readonly #findClient: FindClient;
  readonly #verify: AdministrationCalls['verify'];

  constructor({ request, findClient, verify }: AdministrationCalls) {
    this.#request = request;
    this.#findClient = findClient;
    this.#verify = verify;
  }

  get admin(): AdministeredRealm['admin'] {
    const request = this.#request;
    const exportPath = '/partial-export?exportClients=true&exportGroupsAndRoles=true';
    return { request, representation: () => expectJson<JsonObject>(request('POST', exportPath)) };
  }

  get users(): AdministeredRealm['users'] {
    return userAdministration(this.#request);
  }

  get groups(): AdministeredRealm['groups'] {
    return groupAdministration(this.#request);
  }

  get roles(): AdministeredRealm['roles'] {
    return roleAdministration(this.#request, this.#findClient);
  }

  get credentials(): AdministeredRealm['credentials'] {
    return { ...credentialAdministration(this.#request), verify: this.#verify };
  }

  get sessions(): AdministeredRealm['sessions'] {
    return sessionAdministration(this.#request, this.#findClient);
  }

  get clients(): AdministeredRealm['clients'] {
    return clientAdministration(this.#request);
  }

  get identityProviders(): AdministeredRealm['identityProviders'] {
    return identityProviderAdministration(this.#request);
  }
}

Object.freeze(RealmAdministration);
Object.freeze(RealmAdministration.prototype);
