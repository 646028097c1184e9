import { randomUUID } from 'node:crypto';
import {
  HostError,
  type Json,
  type OwnCredential,
  type OwnCredentialVerdict,
  type StoredCredential,
} from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { CredentialRepresentation } from '../../model/representation.js';
import type { User } from '../../model/user.js';
import type { Events } from '../../registry/events/events.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { CredentialQuery, OwnCredentialCalls } from '../../registry/sessions/session-services.js';
import { withCredentialIds } from '../../users/credentials/credential-ids.js';
import type {
  CredentialTypes,
  CredentialWithId,
  RegisteredCredentialProvider,
} from '../../users/credentials/credential-types.js';
import { readValues, writeValues } from '../../users/credentials/credential-values.js';
import type { PasswordLogins } from '../../users/passwords/password-logins.js';
import type { Users } from '../../users/users.js';
import { requireCredentialSize } from './credential-size.js';
import { verifyCredential } from './verify-credential.js';

const MAX_LABEL_LENGTH = 255;

/** A plugin's request for credentials, with the user and the provider that it concerns. */
interface CredentialAccess extends CredentialQuery {
  readonly realm: Realm;
  readonly provider: RegisteredCredentialProvider;
  readonly user: User;
  readonly isProven: boolean;
}

interface Parts {
  readonly users: Users;
  readonly types: CredentialTypes;
  readonly clock: Clock;
  readonly passwordLogins: PasswordLogins;
  readonly events: Events;
  readonly sessions: SessionFactory;
}

/**
 * Lets the authenticators and required actions of a plugin use that plugin's own credential types, for the user of the
 * current login.
 */
export class PluginCredentials implements OwnCredentialCalls {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async list(request: CredentialQuery): Promise<readonly OwnCredential[]> {
    const access = await this.#requireAccess(request);
    return credentialsOfType(access.user, request.type).map(
      (credential) => withoutSecret(readValues(credential)) ?? placeholderOf(credential),
    );
  }

  async verify(request: CredentialQuery, input: Json, { id }: { id?: string } = {}): Promise<OwnCredentialVerdict> {
    const { passwordLogins, users } = this.#parts;
    const { realm, provider, user } = await this.#requireAccess(request);
    const candidates = credentialsOfType(user, request.type).filter(
      (candidate) => id === undefined || candidate.id === id,
    );
    let verified: StoredCredential | undefined;
    const refusal = await passwordLogins.verifySecret(realm, user, request.session.caller.ip, async () => {
      for (const candidate of candidates) {
        verified = await verifyCredential({ users, realm, provider, userId: user.id }, candidate.id, input);
        if (verified !== undefined) return true;
      }
      return false;
    });
    const credential = withoutSecret(verified);
    if (refusal === undefined && credential !== undefined) return { valid: true, credential };
    const isLocked = refusal === 'user_temporarily_disabled';
    return { valid: false, error: isLocked ? 'user_temporarily_disabled' : 'invalid_user_credentials' };
  }

  async create(request: CredentialQuery, input: Json, { label }: { label?: string } = {}): Promise<OwnCredential> {
    const access = await this.#requireAccess(request);
    if (label !== undefined && typeof label !== 'string')
      throw new HostError('invalid_argument', 'ownCredentials.create: label must be a text');
    const { provider, user, type } = requireProven(access);
    const {
      secret,
      data,
      label: ownLabel,
    } = await provider.call((methods) => methods.create({ user: user.view, input }));
    const userLabel = (label ?? ownLabel ?? '').trim().slice(0, MAX_LABEL_LENGTH);
    const id = randomUUID();
    const createdDate = this.#parts.clock.now();
    const credential = {
      id,
      type,
      createdDate,
      ...writeValues({ secret, data }),
      ...(userLabel === '' ? {} : { userLabel }),
    };
    requireCredentialSize(type, 'create', credential);
    await this.#changeCredentials(access, 'UPDATE_CREDENTIAL', credential, (credentials) => [
      ...credentials.filter((other) => provider.declaration.single !== true || other.type !== type),
      credential,
    ]);
    return { id, createdDate, data, ...(userLabel === '' ? {} : { label: userLabel }) };
  }

  async remove(request: CredentialQuery, id: string): Promise<boolean> {
    const access = requireProven(await this.#requireAccess(request));
    const removed = credentialsOfType(access.user, request.type).find((candidate) => candidate.id === id);
    if (removed === undefined) return false;
    return this.#changeCredentials(access, 'REMOVE_CREDENTIAL', removed, (credentials) =>
      credentials.some((one) => one.id === id) ? credentials.filter((one) => one.id !== id) : undefined,
    );
  }

  /**
   * Checks a request, and finds its provider and user.
   * @throws HostError `credential_type_not_own`, `credential_without_user`
   */
  async #requireAccess(request: CredentialQuery): Promise<CredentialAccess> {
    const { session, plugin, type } = request;
    const realm = session.compiledRealm;
    const provider = this.#parts.types.provider(realm, type);
    if (provider?.plugin.name !== plugin) {
      throw new HostError(
        'credential_type_not_own',
        `${plugin} has no type of credentials "${type}" that is on in ${realm.name}`,
      );
    }
    const { subject } = session;
    const user = subject && (await this.#parts.users.byId(realm, subject.userId));
    if (subject === undefined || user === undefined) {
      throw new HostError('credential_without_user', 'ownCredentials: no login that knows its user asks for this');
    }
    return { ...request, realm, provider, user, isProven: subject.isProven };
  }

  /**
   * Changes the user's credentials, and stores the event with the change.
   * @param change returns undefined if there is nothing to change
   * @returns false if there was nothing to change
   */
  async #changeCredentials(
    { realm, user, session }: CredentialAccess,
    type: string,
    { id, type: credentialType, userLabel }: CredentialRepresentation,
    change: (credentials: readonly CredentialRepresentation[]) => CredentialRepresentation[] | undefined,
  ): Promise<boolean> {
    const { events, sessions, users } = this.#parts;
    const { caller } = session;
    const event = {
      type,
      userId: user.id,
      ipAddress: caller.ip,
      ...defined({ clientId: caller.login?.clientId }),
      details: defined({ credential_type: credentialType, credential_id: id, credential_user_label: userLabel }),
    };
    let updated: CredentialRepresentation[] | undefined;
    await events.emitWithChange(
      realm,
      () => updated && event,
      () => sessions.create(realm, caller, 'keyhost'),
      () =>
        users.change(realm, user.id, (draft) => {
          updated = change(withCredentialIds(user.id, draft.credentials ?? []));
          if (updated !== undefined) draft.credentials = updated;
        }),
      { of: 'users' },
    );
    return updated !== undefined;
  }
}

function credentialsOfType({ id, credentials }: User, type: string): CredentialWithId[] {
  return (withCredentialIds(id, credentials) as CredentialWithId[]).filter((credential) => credential.type === type);
}

/**
 * Rejects a login in which the user is identified but not yet proven: it must not create or remove credentials.
 * @throws HostError `credential_user_unproven`
 */
function requireProven(access: CredentialAccess): CredentialAccess {
  if (access.isProven) return access;
  throw new HostError(
    'credential_user_unproven',
    'ownCredentials: this login has not proven yet that it is the user. Create and remove credentials in a required action.',
  );
}

/** A damaged credential never verifies, but is listed, so that its user is still asked for it. */
function placeholderOf({ id, userLabel, createdDate }: CredentialWithId): OwnCredential {
  return { id, ...defined({ label: userLabel || undefined, createdDate }), data: {} };
}

function withoutSecret(credential: StoredCredential | undefined): OwnCredential | undefined {
  if (credential === undefined) return undefined;
  const { secret: _, ...rest } = credential;
  return rest;
}
