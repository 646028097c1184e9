import type { ClientRepresentation, RealmRepresentation } from '../../../model/representation.js';
import type { JsonPath } from '../../json/json-document.js';
import type { SchemaProblem } from '../../json/schema-check.js';

/** A value in the form of an older Keycloak, and how it is read. */
export type Conversion = Pick<SchemaProblem, 'path' | 'message'>;

/** A realm that the migrations change in place, with a record of their changes. */
export class MigratingRealm {
  readonly realm: RealmRepresentation;
  readonly conversions: Conversion[] = [];
  readonly #flows: ReadonlyMap<string, number>;
  readonly #clients: ReadonlyMap<string, number>;
  #release = '';

  constructor(realm: RealmRepresentation) {
    this.realm = realm;
    this.#flows = new Map(realm.authenticationFlows?.map(({ alias }, index) => [alias, index]));
    this.#clients = new Map(realm.clients?.map(({ clientId }, index) => [clientId, index]));
  }

  /** @param release the Keycloak release whose migration runs next */
  beginRelease(release: string): void {
    this.#release = release;
  }

  /** @param conversion the change, as in "the client scope basic is added" */
  recordConversion(path: JsonPath, conversion: string): void {
    const version = this.#release.replace(/\.0$/, '').replace(/\.0$/, '');
    const origin = version === '' ? 'Keycloak does' : `Keycloak ${version} does with older files`;
    this.conversions.push({ path, message: `${conversion}, as ${origin}` });
  }

  /** The client and its path in the file; undefined if the file does not have it. */
  client(clientId: string): { client: ClientRepresentation; path: JsonPath } | undefined {
    const index = this.#clients.get(clientId);
    const client = this.realm.clients?.find((one) => one.clientId === clientId);
    return client === undefined || index === undefined ? undefined : { client, path: ['clients', index] };
  }

  /** The path of a flow in the file. */
  flowPath(alias: string): JsonPath {
    const index = this.#flows.get(alias);
    return index === undefined ? ['authenticationFlows'] : ['authenticationFlows', index];
  }
}

/** A change that a release of Keycloak makes to realms of older releases. */
export interface Migration {
  readonly release: string;
  migrate(migrating: MigratingRealm): void;
}

/** True for clients that request scopes (Keycloak's MigrationUtils). */
export function requestsScopes({ protocol, bearerOnly }: ClientRepresentation): boolean {
  return (protocol ?? 'openid-connect') === 'openid-connect' && bearerOnly !== true;
}
