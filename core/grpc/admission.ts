import type { Metadata } from '@grpc/grpc-js';
import { GrpcError, type GrpcServiceDeclaration, type GrpcServiceProvider, type Principal } from '@keyhost/spi';
import { bearerToken } from '../http/bearer.js';
import type { Realm } from '../model/realm.js';
import type { Realms } from '../realms/realms.js';
import { createProvider, type EnabledProvider, enabledProvider } from '../registry/generations/realm-providers.js';
import type { Caller } from '../registry/sessions/caller.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import type { EnablingRealms } from './enabling-realms.js';
import type { ServedMethod } from './served-service.js';

export interface AdmittedCall {
  readonly session: HostSession;
  readonly provider: GrpcServiceProvider;
  readonly principal: Principal | undefined;
}

/** Decides which calls are admitted: finds the realm of a call, and checks its access token. */
export class Admission {
  readonly #parts: { sessions: SessionFactory; realms: Realms; enabling: EnablingRealms };

  constructor(parts: { sessions: SessionFactory; realms: Realms; enabling: EnablingRealms }) {
    this.#parts = parts;
  }

  /**
   * Admits a call. A call without an access token names no realm: it runs in the first realm, by name, that enables the
   * service.
   * @throws GrpcError UNIMPLEMENTED, as for an unknown method, UNAUTHENTICATED or PERMISSION_DENIED
   */
  admit(
    method: ServedMethod,
    metadata: Metadata,
    caller: Omit<Caller, 'authorization'>,
  ): AdmittedCall | Promise<AdmittedCall> {
    const { service } = method;
    if (service.authentication === 'bearer') return this.#admitBearer(method, metadata, caller);
    const realm = this.#parts.enabling.firstRealm(service.registered.id);
    if (realm instanceof Promise)
      return realm.then((enablingRealm) => this.#admitAnonymous(method, enablingRealm, caller));
    return this.#admitAnonymous(method, realm, caller);
  }

  async #admitBearer(
    method: ServedMethod,
    metadata: Metadata,
    caller: Omit<Caller, 'authorization'>,
  ): Promise<AdmittedCall> {
    const [authorization] = metadata.get('authorization');
    const token = bearerToken(authorization?.toString());
    if (token === undefined) throw new GrpcError('UNAUTHENTICATED', 'An access token is required');
    const realm = await this.#parts.realms.ofToken(token);
    if (realm?.enabled !== true) throw invalidTokenError();
    const session = this.#createSession(method, realm, { ...caller, authorization: `Bearer ${token}` });
    const { plugin } = method.service.registered;
    const principal = await session.authenticateFor(plugin.name, method.scope).catch((error: { status?: number }) => {
      throw error.status === 401 ? invalidTokenError() : error;
    });
    // Check this only after authentication, so that callers cannot probe whether the realm has the service, and no code
    // of the plugin runs before.
    const enabled = this.#requireEnabled(method, realm, caller);
    if (method.scope !== undefined && !principal.scopes.includes(method.scope)) {
      throw new GrpcError('PERMISSION_DENIED', `The scope ${method.scope} is required`);
    }
    return { session, provider: createProvider(enabled, session), principal };
  }

  #admitAnonymous(method: ServedMethod, realm: Realm | undefined, caller: Caller): AdmittedCall {
    if (realm === undefined) throw unimplementedError(method);
    const enabled = this.#requireEnabled(method, realm, caller);
    const session = this.#createSession(method, realm, caller);
    return { session, provider: createProvider(enabled, session), principal: undefined };
  }

  #requireEnabled(
    method: ServedMethod,
    realm: Realm,
    { providers }: Pick<Caller, 'providers'>,
  ): EnabledProvider<GrpcServiceDeclaration, GrpcServiceProvider> {
    const { registered } = method.service;
    const enabled = enabledProvider(providers, realm, registered.spi, registered.id);
    if (enabled === undefined) throw unimplementedError(method);
    return enabled;
  }

  #createSession({ service }: ServedMethod, realm: Realm, caller: Caller): HostSession {
    return this.#parts.sessions.create(realm, caller, service.registered.plugin.name);
  }
}

/** Creates the error that a server returns for an unknown method. */
function unimplementedError({ path }: ServedMethod): GrpcError {
  return new GrpcError('UNIMPLEMENTED', `The server does not implement the method ${path}`);
}

function invalidTokenError(): GrpcError {
  return new GrpcError('UNAUTHENTICATED', 'The access token is not valid');
}
